import { mainLanguage } from '../../access/caller.js';
import { shownName } from '../../containers/names.js';
import { viewableMaps } from '../../containers/published-maps.js';
import type { App } from '../../http/app-type.js';
import { Path } from '../../http/params.js';
import type { OgcServices } from '../services.js';
import {
  besideDoor,
  documentAs,
  doorOf,
  drawnLinks,
  mediaTypes,
  relation,
  selfLinks,
  sendJson,
} from './addresses.js';
import { conformanceClasses } from './conformance.js';
import { doorDocument } from './openapi.js';
import { addressList, html, sendDoorPage } from './page.js';
import { DoorQuery, refuseUnknownParameters, viewableMap, wantsPage } from './requests.js';

const tags = ['ogc'];

/** The pages that lead to the collections: of a project, and of a map. */
export function landingRoutes(app: App, services: OgcServices): void {
  projectRoute(app, services); // GET /
  landingRoute(app, services); // GET /:map
  conformanceRoute(app, services); // GET /:map/conformance
  documentRoute(app, services); // GET /:map/api
}

function projectRoute(app: App, { db, config }: OgcServices): void {
  app.get(
    '/',
    {
      schema: {
        tags,
        summary: 'Maps with an OGC API',
        params: Path(),
        querystring: DoorQuery({}),
        response: documentAs(),
      },
    },
    async (request, reply) => {
      refuseUnknownParameters(request);
      const door = doorOf(request, config);
      const { caller, query } = request;
      const maps = (await viewableMaps(db, caller)).map((map) => ({
        id: map.code,
        title: shownName(map, [query.lng, mainLanguage(caller)]) || map.code,
        href: `${door}/${map.code}`,
      }));
      const title = `Maps of ${caller.project.code}`;
      if (wantsPage(request)) {
        const list = maps.map((map) => html`<li><a href="${map.href}">${map.title}</a></li>`);
        return sendDoorPage(reply, { title, way: [], body: html`<section><ul>${list}</ul></section>` });
      }
      const links = maps.map((map) => ({
        href: map.href,
        rel: 'child',
        type: mediaTypes.json,
        title: map.title,
      }));
      return { title, links: [...selfLinks(door, request), ...links] };
    },
  );
}

/** Addresses to copy. */
const doorAddresses = (door: string): [string, string][] => [
  ['OGC API, for QGIS, GDAL and other programs', door],
  ['WMS', `${besideDoor(door, 'wms')}/`],
  ['WMTS', `${besideDoor(door, 'wmts')}/1.0.0/WMTSCapabilities.xml`],
  ['WFS 2.0', besideDoor(door, 'wfs')],
  ['Tiles (XYZ)', `${besideDoor(door, 'tiles')}/{z}/{x}/{y}.png`],
  ['Vector tiles (XYZ)', `${besideDoor(door, 'tiles')}/{z}/{x}/{y}.mvt`],
  ['Style for MapLibre', `${besideDoor(door, 'tiles')}/style.json`],
];

function landingRoute(app: App, services: OgcServices): void {
  const { config } = services;
  app.get(
    '/:map',
    {
      schema: {
        tags,
        summary: 'OGC API of a map',
        params: Path('map'),
        querystring: DoorQuery({}),
        response: documentAs(),
      },
    },
    async (request, reply) => {
      refuseUnknownParameters(request);
      const map = await viewableMap(services, request);
      const door = doorOf(request, config);
      const title = shownName(map, [request.query.lng, mainLanguage(request.caller)]) || map.code;
      const links = [
        ...selfLinks(door, request),
        {
          href: `${door}/api`,
          rel: 'service-desc',
          type: mediaTypes.openapi,
          title: 'Definition of the API',
        },
        { href: `${door}/api?f=html`, rel: 'service-doc', type: mediaTypes.html, title: 'The API as a page' },
        { href: `${door}/conformance`, rel: 'conformance', type: mediaTypes.json, title: 'Classes' },
        { href: `${door}/conformance`, rel: relation('conformance'), type: mediaTypes.json },
        { href: `${door}/collections`, rel: 'data', type: mediaTypes.json, title: 'Collections' },
        { href: `${door}/collections`, rel: relation('data'), type: mediaTypes.json },
        ...drawnLinks(door),
        { href: `${door}/tileMatrixSets`, rel: relation('tiling-schemes'), type: mediaTypes.json },
      ];
      if (!wantsPage(request)) return { title, description: map.comment, links };
      const { project } = request.params;
      return sendDoorPage(reply, {
        title,
        way: [{ title: project, href: `${door.slice(0, door.lastIndexOf('/'))}?f=html` }],
        body: html`<section><p>${map.comment}</p>
<ul><li><a href="${door}/collections?f=html">Collections</a></li>
<li><a href="${door}/map">A picture of the map</a></li><li><a href="${door}/map/tiles?f=html">Map tiles</a></li><li><a href="${door}/tiles?f=html">Vector tiles</a></li>
<li><a href="${door}/api?f=html">The API</a></li><li><a href="${door}/conformance?f=html">Classes of the standards</a></li></ul>
${addressList(doorAddresses(door))}</section>`,
      });
    },
  );
}

function conformanceRoute(app: App, services: OgcServices): void {
  app.get(
    '/:map/conformance',
    {
      schema: {
        tags,
        summary: 'Classes of the standards',
        params: Path('map'),
        querystring: DoorQuery({}),
        response: documentAs(),
      },
    },
    async (request, reply) => {
      refuseUnknownParameters(request);
      await viewableMap(services, request);
      if (!wantsPage(request)) return { conformsTo: conformanceClasses };
      const door = doorOf(request, services.config);
      return sendDoorPage(reply, {
        title: 'Classes of the standards',
        way: [{ title: request.params.map, href: `${door}?f=html` }],
        body: html`<section><ul>${conformanceClasses.map((uri) => html`<li><code>${uri}</code></li>`)}</ul></section>`,
      });
    },
  );
}

function documentRoute(app: App, services: OgcServices): void {
  app.get(
    '/:map/api',
    {
      schema: {
        tags,
        summary: 'OpenAPI document of the OGC API',
        params: Path('map'),
        querystring: DoorQuery({}),
        response: documentAs(mediaTypes.openapi),
      },
    },
    async (request, reply) => {
      refuseUnknownParameters(request);
      const { code } = await viewableMap(services, request);
      const door = doorOf(request, services.config);
      const { pictureSidePixels } = services.config;
      const limit = itemLimits(services.config);
      const api = doorDocument({
        door,
        title: `OGC API of the map ${code}`,
        limit,
        pictureSide: pictureSidePixels,
      });
      if (!wantsPage(request)) return sendJson(reply, mediaTypes.openapi, api);
      const rows = Object.entries(api.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(
          ([method, { summary }]) =>
            html`<tr><td>${method.toUpperCase()}</td><td><code>${door}${path === '/' ? '' : path}</code></td><td>${summary}</td></tr>`,
        ),
      );
      return sendDoorPage(reply, {
        title: 'The API',
        way: [{ title: code, href: `${door}?f=html` }],
        body: html`<section class="wide" tabindex="0" role="group" aria-label="Functions"><table><thead><tr><th>Method</th><th>Address</th><th>Answer</th></tr></thead>
<tbody>${rows}</tbody></table></section>`,
      });
    },
  );
}

/** Features of a page without `limit`: programs that fetch all are several times as fast with large pages. */
const usualItems = 10_000;

/** How many features a page has without `limit`, and at most. */
export const itemLimits = ({ listLimit }: OgcServices['config']): { standard: number; most: number } => ({
  standard: Math.min(usualItems, listLimit),
  most: listLimit,
});
