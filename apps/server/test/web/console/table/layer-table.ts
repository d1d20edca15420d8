import { ident, sql } from '@cartulary/sql/internal/sql.js';
import type { Page } from 'playwright-core';
import type { TestServer } from '../../../support/server.js';
import { makeAtlas } from '../../atlas.js';
import type { BrowserProfile, OpenPage } from '../../browser.js';
import { type Site, useSite } from '../../site.js';
import { makeUser, openAs } from '../people.js';

/** More rows than the height of an element has room for. */
export const manyRows = 120_000;
const partRows = 10_000;

/** A site with the atlas, a layer of many rows, and a user who administers the map. */
export const useTables = (): Site =>
  useSite(async (server) => {
    await makeAtlas(server);
    await makeMany(server);
    await makeUser(server, 'ann', { '/atlas/rights/': 'administer' });
  });

/** A layer of many points in a column of ten per degree, numbered in `n` against the order of their ids. */
async function makeMany(server: TestServer): Promise<void> {
  const { id } = await server.admin('POST', '/atlas/layers/', { code: 'wells', sort: 3 });
  const number = { code: 'n', name: 'Depth', type: 'number', format: { suffix: ' m' } };
  const { id: column } = await server.admin('POST', '/atlas/layers/wells/structure/', number);
  // In parts, each well within the time of a statement.
  for (let from = 1; from <= manyRows; from += partRows)
    await server.db.transaction((tx) =>
      tx.query(sql`insert into ${ident('cartulary_data', `layer_${id}`)} (geom, ${ident(`c${column}`)})
        select ST_SetSRID(ST_MakePoint(30 + (i % 100) / 10.0, 30 + (i / 100) / 1000.0), 4326), ${manyRows}::integer - i
        from generate_series(${from}::integer, ${from + partRows - 1}::integer) i`),
    );
}

/** Opens the workspace of a site at a query, signed in. */
export const openWorkspace = (
  site: Site,
  query: string,
  profile: BrowserProfile = {},
  login = 'ann',
): Promise<OpenPage> => openAs(site, login, `/console/demo/atlas/${query}`, profile);

export const grid = (page: Page) => page.getByRole('grid');
export const rowOf = (page: Page, id: number) =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: String(id), exact: true }) });
export const titleOf = (page: Page, name: string) => page.getByRole('columnheader', { name });
