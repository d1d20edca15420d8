import assert from 'node:assert/strict';
import { fixture } from '../../../formats/support.js';
import { makeAtlas } from '../../atlas.js';
import { findingsOf } from '../../axe.js';
import { pageTest, useSite } from '../../site.js';
import { finish, makeUser, passwordOf, shot, workOf } from '../people.js';
import { cancel, dialog, file, openWorkspace, towns } from './dialog.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await makeUser(server, 'ann', { '/atlas/rights/': 'administer' });
});

pageTest(
  'an upload goes on after a broken connection and after a new sign-in; a cancelled one is removed',
  async () => {
    const opened = await openWorkspace(site);
    const { page } = opened;
    let isBroken = false;
    await page.route('**/files/uploads/*/', async (route) => {
      if (route.request().method() !== 'PATCH' || isBroken) return route.fallback();
      isBroken = true;
      await route.abort('connectionreset');
    });
    await page.getByTestId('files').setInputFiles(file('broken.csv', towns(2000)));
    await dialog(page).getByText('First objects').waitFor();
    await cancel(page);

    await site.server.admin('PATCH', '/users/ann/', { password: passwordOf('again') });
    await page.getByTestId('files').setInputFiles(file('session.csv', towns()));
    const signedOut = page.getByRole('dialog', { name: 'Your session has ended' });
    await signedOut.getByLabel('Password').fill(passwordOf('again'));
    await page.keyboard.press('Enter');
    await dialog(page).getByText('First objects').waitFor();
    await cancel(page);
    const token = (
      await site.server.request('POST', '/login/', { body: { login: 'ann', password: passwordOf('again') } })
    ).json.token;
    // The page removes an upload after its dialog is closed. A page that was closed at once has left its own.
    const isKept = async (): Promise<boolean> => {
      const { json } = await site.server.request('GET', '/files/uploads/', { token });
      return json.some(({ name }: { name: string }) => ['broken.csv', 'session.csv'].includes(name));
    };
    for (let tries = 0; (await isKept()) && tries < 300; tries++) await page.waitForTimeout(100);
    assert.equal(await isKept(), false);
    await site.server.admin('PATCH', '/users/ann/', { password: passwordOf('ann') });
    const problems = opened.problems.filter((problem) => !/ERR_CONNECTION_RESET/.test(problem));
    await finish(site, { page, problems });
  },
);

pageTest('an import that is found wrong later is undone, from the report or from the layer', async (t) => {
  const opened = await openWorkspace(site);
  const { page } = opened;
  const layers = () => site.server.admin('GET', '/atlas/layers/towns/count/?precise=1');
  await page.getByTestId('files').setInputFiles(file('wrong.csv', towns(2).replace('people', 'rumour')));
  await dialog(page).getByRole('radio', { name: 'Replace the objects of a layer' }).check();
  await dialog(page).getByRole('combobox', { name: 'Layer', exact: true }).selectOption({ label: 'Towns' });
  await dialog(page).getByRole('cell', { name: 'Town 1' }).waitFor();
  await dialog(page).getByRole('button', { name: 'Import', exact: true }).click();
  await dialog(page).getByText('2 objects are stored').waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  assert.equal(await layers(), 2);
  await page.getByText('Last import: wrong.csv').waitFor();
  await page.getByRole('button', { name: 'Undo the import' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Undo the import?' });
  await question.getByText('2 objects that it added will be deleted').waitFor();
  await question.getByText('3 objects that it replaced will come back').waitFor();
  await question.getByText('Columns that it made will be deleted: rumour').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'import-undo');
  await question.getByRole('button', { name: 'Undo the import' }).press('Enter');
  await page.getByRole('status').getByText('The import has been undone').waitFor();
  await page.getByText('Last import').waitFor({ state: 'detached' });
  assert.equal(await layers(), 3);
  t.diagnostic(await workOf(page));
  await finish(site, opened);
});

pageTest('of 200 files at once each becomes a layer, until one is wrong; the rest is given up', async () => {
  const opened = await openWorkspace(site, 'admin');
  const { page } = opened;
  await site.server.admin('POST', '/', { code: 'many', name: 'Many' });
  await page.goto(`${site.server.url}/console/demo/many/`);
  await page.getByTestId('files').waitFor({ state: 'attached' });
  const files = Array.from({ length: 200 }, (_, i) => file(`part ${i}.csv`, i === 2 ? '' : towns(1)));
  // The same file twice: the second is a layer of its own.
  await page.getByTestId('files').setInputFiles([files[0]!, files[0]!, ...files.slice(2)]);
  await dialog(page).getByText('199 more files wait').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await dialog(page).getByRole('button', { name: 'Make a layer of each of the 200 files' }).click();
  const wrong = page.getByRole('dialog', { name: 'Import part 2.csv' });
  await wrong.getByRole('alert').getByText(/./).waitFor();
  await wrong.getByText('197 more files wait').waitFor();
  await wrong.getByRole('button', { name: 'Give up all 198 files' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await page.getByRole('treeitem', { name: 'part 0' }).nth(1).waitFor();
  const made = await site.server.admin('GET', '/many/layers/');
  assert.deepEqual(
    made.map(({ code }: { code: string }) => code),
    ['part_0', 'part_0_2'],
  );
  await finish(site, opened);
});

/** Its central meridian is 15°. */
const zone33 =
  'PROJCS["WGS_1984_UTM_Zone_33N",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",15.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]';

pageTest('files that belong together are one upload: a MIF, its data and its projection', async () => {
  const opened = await openWorkspace(site, 'ann');
  const { page } = opened;
  const mif = 'Version 300\nCharset "WindowsLatin1"\nColumns 1\n  name Char(20)\nData\n\nPoint 500000 0\n';
  await page
    .getByTestId('files')
    .setInputFiles([
      file('Posts.mif', Buffer.from(mif)),
      file('Posts.mid', Buffer.from('"Old post"\n')),
      file('Posts.prj', zone33),
    ]);
  await dialog(page).getByRole('cell', { name: 'Old post' }).waitFor();
  await dialog(page).getByRole('button', { name: 'Import' }).click();
  await dialog(page).getByText('1 object is stored').waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  const [post] = await site.server.admin('GET', '/atlas/layers/posts/objects/?returnGeom=1');
  const { coordinates } = post.geom;
  assert.ok(Math.abs(coordinates[0] - 15) < 1e-4 && Math.abs(coordinates[1]) < 1e-4, JSON.stringify(post));
  await finish(site, opened);
});

pageTest('of a file with several layers one is chosen', async () => {
  const opened = await openWorkspace(site);
  const { page } = opened;
  await page.getByTestId('files').setInputFiles(file('places.gpkg', fixture('places.gpkg')));
  await dialog(page).getByRole('cell', { name: 'Москва' }).waitFor();
  await dialog(page)
    .getByText(/The file has 2 layers, and all were read: .*name it/)
    .waitFor();
  await dialog(page).getByLabel('Sheet or layer').fill('2');
  await dialog(page).getByRole('cell', { name: 'Москва' }).waitFor({ state: 'detached' });
  await dialog(page).getByRole('cell', { name: 'Peña Señorío' }).waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await cancel(page);
  await finish(site, opened);
});

pageTest('a file that cannot be read as it is found is read with what is chosen', async () => {
  const opened = await openWorkspace(site);
  const { page } = opened;
  const crs = { type: 'name', properties: { name: 'My_own' } };
  const geometry = { type: 'Point', coordinates: [30, 60] };
  const features = [{ type: 'Feature', properties: { name: 'Mine' }, geometry }];
  const text = JSON.stringify({ type: 'FeatureCollection', crs, features });
  await page.getByTestId('files').setInputFiles(file('own.geojson', text));
  await dialog(page).getByRole('alert').getByText(/crs/).waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await dialog(page).getByLabel('Projection').fill('EPSG:4326');
  await dialog(page).getByRole('button', { name: 'Read again' }).click();
  await dialog(page).getByRole('cell', { name: 'Mine' }).waitFor();
  // The reason is in view beside the button that it disables.
  await dialog(page).getByLabel('Projection').fill('longitude');
  const reason = dialog(page).getByRole('alert');
  await reason.waitFor();
  assert.ok((await reason.boundingBox())!.y < page.viewportSize()!.height);
  await dialog(page).getByLabel('Projection').fill('EPSG:4326');
  await dialog(page).getByRole('button', { name: 'Import', disabled: false }).waitFor();
  await cancel(page);
  await page
    .getByTestId('files')
    .setInputFiles(file('streets.csv', 'street,town\nMain street,Springfield\n'));
  await dialog(page).getByText('No columns with coordinates were found').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await cancel(page);
  await finish(site, opened);
});
