import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { adminPassword } from '../../support/settings.js';
import { hostile, makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import { assertFits, type BrowserProfile, isHacked, type OpenPage } from '../browser.js';
import { pageTest, phone, useSite } from '../site.js';
import { deletionButton, finish, makeUser, openAs, passwordOf, shot, signIn } from './people.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await makeUser(server, 'ann', { '/rights/': 'administer' });
  await makeUser(server, 'eve', { '/rights/': 'view' });
});

async function openProject(query: string, login = 'ann', profile: BrowserProfile = {}): Promise<OpenPage> {
  const opened = await openAs(site, login, `/console/demo/${query}`, profile);
  await opened.page.getByRole('heading', { level: 1 }).waitFor();
  return opened;
}

pageTest('a user is made, changed and deleted by keyboard', async () => {
  const opened = await openProject('');
  const { page } = opened;
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('heading', { level: 1, name: 'Users of demo' }).waitFor();
  await page.getByRole('button', { name: 'New user' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'New user' });
  await form.getByLabel('Login').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('zoe');
  await form.getByLabel('Name', { exact: true }).fill(hostile);
  await form.getByLabel('Groups').fill('gardeners, painters');
  await form.getByLabel('Password').fill('zoe-battery-horse');
  assert.deepEqual(await findingsOf(page), []);
  await page.keyboard.press('Enter');
  await page.getByText('The user zoe has been made').waitFor();
  await page.getByRole('cell', { name: 'gardeners, painters' }).waitFor();
  assert.equal(await isHacked(page), false);
  await shot(page, 'users');
  await page.getByRole('button', { name: 'Change zoe' }).press('Enter');
  const change = page.getByRole('dialog', { name: 'User zoe' });
  await change.getByLabel('Login').fill('ann');
  await page.keyboard.press('Enter');
  await change.getByRole('alert').getByText('Another user has this login').waitFor();
  await change.getByLabel('Login').fill('zoë');
  await change.getByLabel('May use this console').uncheck();
  await page.keyboard.press('Enter');
  await page.getByText('Saved: zoë').waitFor();
  const zoe = await site.server.admin('GET', `/users/info/?login=${encodeURIComponent('zoë')}`);
  assert.deepEqual([zoe.name, zoe.guiAccess, zoe.groups], [hostile, false, ['gardeners', 'painters']]);
  await page.getByRole('button', { name: 'Delete zoë' }).press('Enter');
  await page
    .getByRole('dialog', { name: 'Delete the user?' })
    .getByText('What this user has made stays')
    .waitFor();
  const confirm = await deletionButton(page);
  assert.deepEqual(await findingsOf(page), []);
  await confirm.press('Enter');
  await page.getByText('The user zoë has been deleted').waitFor();
  assert.deepEqual(await site.server.admin('GET', '/users/list/'), ['admin', 'ann', 'eve']);
  await finish(site, opened);
});

pageTest('only administrators see the users; everybody changes the own password', async () => {
  const opened = await openProject('?page=users', 'eve');
  const { page } = opened;
  await page.getByText('Only administrators of the project see its users.').waitFor();
  for (const name of ['Users', 'Storage', 'Journal', 'Projects', 'Settings'])
    assert.equal(await page.getByRole('link', { name, exact: true }).count(), 0, name);
  await page.getByRole('link', { name: 'My account' }).click();
  const other = await site.server.request('POST', '/login/', {
    body: { login: 'eve', password: passwordOf('eve') },
  });
  assert.equal(other.status, 200);
  await page.reload();
  await page.getByText('Program, demo').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await page.getByLabel('Present password').fill('wrong-battery-horse');
  await page.getByLabel('New password').fill('eve-other-horse');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('The password is wrong.').waitFor();
  await page.getByLabel('Present password').fill(passwordOf('eve'));
  await page.keyboard.press('Enter');
  await page.getByText('The password has been changed').waitFor();
  await page.reload();
  await page.getByText('This browser').waitFor();
  assert.equal(await page.getByText('Program, demo').count(), 0, 'other sessions have ended');
  await page.getByLabel('What the key is for').fill('QGIS');
  await page.getByLabel('Your password').fill('eve-other-horse');
  await page.keyboard.press('Enter');
  await page.getByText('This is the key for QGIS').waitFor();
  const key = await page.getByRole('textbox', { name: 'Key', exact: true }).inputValue();
  assert.equal((await site.server.request('GET', '/authorized/', { token: key })).json, true);
  await page.getByRole('listitem').filter({ hasText: 'Key QGIS, demo' }).getByRole('button').press('Enter');
  await page.getByText('Key QGIS, demo').waitFor({ state: 'detached' });
  assert.equal((await site.server.request('GET', '/authorized/', { token: key })).json, false);
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'account');
  await site.server.admin('PATCH', '/users/eve/', { password: passwordOf('eve') });
  await finish(site, opened);
});

pageTest('a refusal for too many wrong passwords and an end of the session are told in Russian', async () => {
  await makeUser(site.server, 'kim', {});
  const { page } = await openProject('?page=account', 'kim', { languages: ['ru'] });
  const keys = page.getByRole('region', { name: 'Ключи для программ' });
  const make = async (): Promise<void> => {
    await keys.getByLabel('Для чего ключ').fill('QGIS');
    await keys.getByLabel('Ваш пароль').fill('wrong');
    await page.keyboard.press('Enter');
  };
  await page.route('**/login/keys/', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '289' },
      json: { error: 'error', code: 'too_many_requests', message: 'Too many failed logins', data: {} },
    }),
  );
  await make();
  await keys.getByRole('alert').getByText('Слишком много сразу. Повторите через 289 секунд.').waitFor();
  await page.unroute('**/login/keys/');
  await page.context().clearCookies();
  await make();
  await page.getByRole('dialog').getByLabel('Пароль').waitFor();
  await page.keyboard.press('Escape');
  await keys.getByRole('alert').getByText('Вы больше не вошли. Войдите и повторите.').waitFor();
  await site.close(page);
});

const picture = (name: string, text: string) => ({
  name,
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(text),
});

pageTest('icons are added and deleted; a broken picture is refused with the reason', async () => {
  const opened = await openProject('?page=icons');
  const { page } = opened;
  const upload = page.locator('input[type=file]');
  await upload.setInputFiles(
    picture(
      'Ёлка (1).svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><path d="M0 0h20v20z"/></svg>',
    ),
  );
  await page.getByText('The icon elka_1 has been stored').waitFor();
  await upload.setInputFiles(
    picture(
      'pine.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><path d="M0 0h20v20z"/></svg>',
    ),
  );
  await page.getByText('The icon pine has been stored').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'pine' }).locator('img').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'icons');
  await upload.setInputFiles(picture('bad.svg', 'no picture'));
  await page.getByRole('alert').filter({ hasText: /./ }).waitFor();
  await site.server.admin('PATCH', '/atlas/layers/towns/', {
    css_style: '#towns { marker-file: url(pine); }',
  });
  await page.getByRole('button', { name: 'Delete pine' }).click();
  await page.getByText('The styles of these layers use the icon: atlas.towns. Change them first.').waitFor();
  await site.server.admin('PATCH', '/atlas/layers/towns/', { css_style: '#towns { marker-width: 4; }' });
  await page.getByRole('button', { name: 'Delete pine' }).click();
  await page.getByText('The icon pine has been deleted').waitFor();
  await finish(site, opened);
});

pageTest('what is wrong with an icon is told in Russian', async () => {
  const { page } = await openProject('?page=icons', 'ann', { languages: ['ru'] });
  for (const [text, problem] of [
    ['no picture', 'Значок — это SVG (UTF-8) или PNG'],
    ['<html/>', 'Этот SVG не подходит: строка 1: корневой элемент — <html>'],
  ] as const) {
    await page.locator('input[type=file]').setInputFiles(picture('bad.svg', text));
    await page.getByRole('alert').getByText(problem).waitFor({ timeout: 10_000 });
  }
  await site.close(page);
});

pageTest('jobs of the user are listed with their files or failures, and are removed', async () => {
  const opened = await openProject('?page=jobs', 'ann', { ...phone, dark: true, languages: ['ru'] });
  const { page } = opened;
  await page.getByText('Вы давно ничего не импортировали').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  const token = (
    await site.server.request('POST', '/login/', { body: { login: 'ann', password: passwordOf('ann') } })
  ).json.token as string;
  await site.server.request('GET', `/atlas/layers/towns/export/?format=geojson&async=1&token=${token}`);
  await page.reload();
  const item = page.getByRole('listitem').filter({ hasText: 'Экспорт из atlas / towns' });
  const file = page.waitForEvent('download');
  await item.getByRole('link', { name: 'Скачать' }).click();
  assert.match((await file).suggestedFilename(), /towns.*json/);
  assert.deepEqual(await findingsOf(page), []);
  await assertFits(page);
  await shot(page, 'jobs-phone');
  await item.getByRole('button', { name: 'Убрать из списка' }).click();
  await item.waitFor({ state: 'detached' });
  const body = '{"type": "FeatureCollection", "features": [{';
  await site.server.request('POST', '/atlas/layers/towns/import/?async=1', { token, body });
  await page.reload();
  const failed = page.getByRole('listitem').filter({ hasText: 'Импорт в atlas / towns' });
  await failed.getByText(/^файл обрывается/i).waitFor();
  await finish(site, opened);
});

pageTest('administrators see who changed what, what is stored, and where users are signed in', async () => {
  const opened = await openProject('');
  const { page } = opened;
  await page.getByRole('link', { name: 'Storage' }).click();
  const atlas = page.getByRole('row').filter({ hasText: 'Atlas' });
  await atlas.getByRole('cell').first().waitFor();
  assert.deepEqual((await atlas.getByRole('cell').allTextContents()).slice(0, 2), ['2', '5']);
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'storage');
  await site.server.admin('PATCH', '/atlas/', { name: 'Atlas' });
  await page.getByRole('link', { name: 'Journal' }).click();
  await page.getByLabel('Map').selectOption({ label: 'Atlas' });
  const entry = page.getByRole('row').filter({ hasText: 'Changed a map' }).filter({ hasText: 'admin' });
  await entry.filter({ hasText: 'atlas' }).first().waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'journal');
  await page.getByLabel('User').selectOption('eve');
  await page.getByText('Nothing has been changed').waitFor();

  const program = await site.server.request('POST', '/login/', {
    body: { login: 'eve', password: passwordOf('eve') },
  });
  await page.getByRole('link', { name: 'Users' }).click();
  await page.getByRole('button', { name: 'Sessions of eve' }).press('Enter');
  const sessions = page.getByRole('dialog', { name: 'Where eve is signed in' });
  await sessions.getByText('Program, demo').first().waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'sessions');
  const end = sessions.getByRole('button', { name: 'End', exact: true });
  for (let left = await end.count(); left > 0; left--) {
    await end.first().click();
    await end.nth(left - 1).waitFor({ state: 'detached' });
  }
  await sessions.getByText('There are none.').waitFor();
  const { token } = program.json;
  assert.equal((await site.server.request('GET', '/users/info/', { token })).status, 401);
  await finish(site, opened);
});

/** Signs in to a project that has been made: it is named, has no users yet, and the head of the page holds both. Comes back. */
async function seeProject(page: Page, project: string): Promise<void> {
  await page.getByRole('rowheader', { name: project }).getByRole('link').click();
  await page.getByRole('heading', { name: `Вход в проект ${project}` }).waitFor();
  await page.getByText('В каждый проект входят отдельно').waitFor();
  await signIn(page, 'admin', adminPassword);
  await page.getByText('Карт пока нет').waitFor();
  await assertFits(page);
  await page.getByRole('button', { name: /^Вы вошли/ }).click();
  await page.getByRole('menuitem', { name: project }).click();
  await page.goto(`${site.server.url}/console/demo/?page=projects`);
}

pageTest('the administrator of the service makes and deletes projects, and reads the settings', async () => {
  const opened = await openAs(site, 'admin', '/console/demo/?page=projects', {
    ...phone,
    dark: true,
    languages: ['ru'],
  });
  const { page } = opened;
  await page.getByRole('button', { name: 'Новый проект' }).click();
  const form = page.getByRole('dialog', { name: 'Новый проект' });
  await form.getByLabel('Название').fill('Парки города');
  assert.equal(await form.getByLabel('Код').inputValue(), 'parki_goroda');
  assert.deepEqual(await findingsOf(page), []);
  await page.keyboard.press('Enter');
  await page.getByText('Проект parki_goroda создан').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await assertFits(page);
  await shot(page, 'projects-phone');
  await seeProject(page, 'parki_goroda');
  await page.getByRole('button', { name: 'Удалить проект parki_goroda' }).click();
  const question = page.getByRole('dialog', { name: 'Удалить проект?' });
  const remove = question.getByRole('button', { name: 'Удалить навсегда' });
  await question.getByText('Внутри ничего нет').waitFor();
  await question.getByLabel(/наберите parki_goroda/).fill('parki');
  assert.equal(await remove.isDisabled(), true);
  await question.getByLabel(/наберите parki_goroda/).fill('parki_goroda');
  assert.deepEqual(await findingsOf(page), []);
  await page.keyboard.press('Enter');
  await page.getByText('Проект parki_goroda удалён').waitFor();
  assert.equal((await fetch(`${site.server.url}/api/2.8/parki_goroda/maps/`)).status, 500);

  await page.getByRole('link', { name: 'Настройки' }).click();
  await page.getByText('Поставщик удостоверений не настроен').waitFor();
  await page.getByRole('heading', { name: 'Процессы и база данных' }).waitFor();
  const find = page.getByRole('searchbox', { name: 'Найти настройку' });
  await find.fill('рабочих процессов');
  await page.getByText('CARTULARY_PROCESSES').waitFor();
  assert.equal(await page.getByText('CARTULARY_DATA', { exact: true }).count(), 0);
  await find.fill('cartulary_data');
  await page.getByText('Папка встроенной базы данных и файлов').waitFor();
  await find.fill('');
  await page.getByLabel('Только отличия').check();
  await page.getByText('CARTULARY_ADMIN_PASSWORD').waitFor();
  await page.getByText('задано, не показывается').first().waitFor();
  assert.ok(!(await page.content()).includes(adminPassword));
  assert.deepEqual(await findingsOf(page), []);
  await assertFits(page);
  await shot(page, 'settings-phone');
  await finish(site, opened);
});

pageTest('the unit of a setting is named as for one where its value is 1', async () => {
  const onPage = (page: Page) =>
    page.route('**/administration/settings/', async (route) => {
      const response = await route.fetch();
      const settings = (await response.json()) as { value: unknown }[];
      const ones = settings.map((one) => (typeof one.value === 'number' ? { ...one, value: 1 } : one));
      await route.fulfill({ response, json: ones });
    });
  const opened = await openAs(site, 'admin', '/console/demo/?page=settings', { onPage });
  const { page } = opened;
  await page.getByText('CARTULARY_PROCESSES').waitFor();
  const shown = new Set(await page.locator('dd strong').allTextContents());
  for (const text of ['1 process', '1 entry', '1 pixel', '1 ms', '1 MiB']) assert.ok(shown.has(text), text);
  const many = [...shown].filter((text) => /^1 .{2,}s$/.test(text) && !/(process|bytes? per s)$/.test(text));
  assert.deepEqual(many, []);
  await finish(site, opened);
});
