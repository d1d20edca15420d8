import { CartularyClient, type ServiceOptions } from '@cartulary/client';
import { adminPassword, freshCode, type TestServer } from '../support/server.js';

/** A client of the administrator. */
export async function signedIn(
  server: TestServer,
  options: Partial<ServiceOptions> = {},
): Promise<CartularyClient> {
  const client = new CartularyClient({ url: server.url, project: 'demo', ...options });
  await client.signIn({ login: 'admin', password: adminPassword });
  return client;
}

/** A layer with the column `name` on a map of its own. */
export async function freshLayer(client: CartularyClient): Promise<{ map: string; layer: string }> {
  const path = { map: freshCode(), layer: 'wells' };
  await client.post('/api/2.8/{project}/', { body: { code: path.map } });
  await client.post('/api/2.8/{project}/{map}/layers/', { params: { path }, body: { code: 'wells' } });
  for (const [code, type] of [
    ['name', 'string'],
    ['photo', 'file'],
  ] as const)
    await client.post('/api/2.8/{project}/{map}/layers/{layer}/structure/', {
      params: { path },
      body: { code, type },
    });
  return path;
}

/** GeoJSON of points with names, from `n 1`. */
export function points(count: number): Blob {
  const features = Array.from({ length: count }, (_, i) => ({
    type: 'Feature',
    properties: { name: `n ${i + 1}` },
    geometry: { type: 'Point', coordinates: [i / 1000, 0] },
  }));
  return new Blob([JSON.stringify({ type: 'FeatureCollection', features })]);
}
