import type { Page } from 'playwright-core';

/** A place of the console: its address below the project, and what is done there before the picture is taken. */
export interface ShownPlace {
  name: string;
  address: string;
  login?: 'ann' | 'bob' | 'admin';
  /** Without signing in. */
  isPublic?: boolean;
  prepare?: (page: Page) => Promise<unknown>;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

const parks = `name,hectares,lat,lon
Jardin du Luxembourg,23,48.8462,2.3372
Jardin des Tuileries,25.5,48.8635,2.3272
Parc Montsouris,15.5,48.8222,2.3378
Parc Monceau,8.2,48.8797,2.3090
Buttes-Chaumont,24.7,48.8809,2.3828
`;

/** All places, in the order of the guide. */
export const places: readonly ShownPlace[] = [
  { name: 'sign-in', address: '', isPublic: true },
  { name: 'catalog', address: '' },
  { name: 'workspace', address: 'world/?item=countries#3/40/10' },
  {
    name: 'import',
    address: 'parks/',
    prepare: async (page) => {
      const buffer = Buffer.from(parks);
      await page.getByTestId('files').setInputFiles({ name: 'parks.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('region', { name: 'First objects' }).waitFor();
      await page.getByRole('img', { name: 'Sketch of what the file holds' }).waitFor();
    },
  },
  {
    name: 'style',
    address: 'density/?tab=style#2.4/25/40',
    prepare: (page) => openItem(page, 'Style', page.getByRole('img', { name: /^Distribution/ })),
  },
  {
    name: 'cartocss',
    address: 'world/?item=countries&tab=style#3.4/47/12',
    prepare: async (page) => {
      const editor = page.getByRole('textbox', { name: 'CartoCSS' });
      await editor.click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('\n#countries { line-c');
      await page.getByRole('listbox', { name: 'Completions' }).waitFor();
    },
  },
  {
    name: 'table',
    address: 'world/?item=cities&table=1#4/47/12',
    prepare: (page) => cell(page, 2, 1).click(),
  },
  {
    name: 'shapes',
    address: 'world/?item=countries&table=1',
    prepare: async (page) => {
      await cell(page, 3, 0).dblclick();
      await button(page, 'Draw the shape').click();
      await page
        .getByRole('toolbar', { name: 'Drawing tools' })
        .and(page.locator('[aria-busy="false"]'))
        .waitFor();
    },
  },
  { name: 'columns', address: 'world/?item=cities&tab=columns#4/47/12' },
  {
    name: 'query',
    address: 'parks/?item=largest&tab=query',
    prepare: (page) => page.getByRole('region', { name: 'First rows' }).getByRole('cell').first().waitFor(),
  },
  { name: 'share', address: 'world/', prepare: (page) => button(page, 'Share').click() },
  {
    name: 'rights',
    address: 'world/',
    prepare: async (page) => {
      await button(page, 'Share').click();
      await page.getByRole('tab', { name: 'Rights' }).click();
      await page
        .getByRole('group', { name: /^Why can/ })
        .getByLabel('User')
        .selectOption('bob');
      await page.getByText(/bob has the right/).waitFor();
    },
  },
  { name: 'users', address: '?page=users' },
  { name: 'icons', address: '?page=icons' },
  { name: 'jobs', address: '?page=jobs', prepare: (page) => page.getByLabel('Of all users').check() },
  { name: 'storage', address: '?page=storage', login: 'admin' },
  { name: 'journal', address: '?page=journal', login: 'admin' },
  { name: 'projects', address: '?page=projects', login: 'admin' },
  {
    name: 'settings',
    address: '?page=settings',
    login: 'admin',
    prepare: (page) => page.getByLabel('Find a setting').fill('import'),
  },
  { name: 'account', address: '?page=account', login: 'bob' },
  {
    name: 'palette',
    address: 'world/',
    prepare: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('ci');
    },
  },
  { name: 'keys', address: '', prepare: (page) => page.keyboard.press('?') },
];

const cell = (page: Page, row: number, column: number) =>
  page.getByRole('grid').locator(`[data-row="${row}"][data-column="${column}"]`);

/** Opens a tab of the first layer. */
async function openItem(page: Page, tab: string, content: ReturnType<Page['locator']>): Promise<void> {
  await page.getByRole('treeitem').first().click();
  await page.getByRole('tab', { name: tab }).click();
  await content.waitFor();
}
