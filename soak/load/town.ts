import type { Service } from '../service.js';

/** Number of objects in the shared layer. */
export const objectCount = 20_000;
/** Logins of ordinary users, and their password. */
export const logins = Array.from({ length: 5 }, (_, index) => `user${index}`);
export const password = 'a-password-of-one';
/** Login of the attacker, who may edit one map. */
export const attacker = 'mallory';

export const pointOf = (index: number): [number, number] => [
  2 + (index % 200) / 200,
  48 + Math.floor(index / 200) / 200,
];

export const nameOf = (index: number): string => `Place ${index} of ${index % 97}`;

/** Creates a map with points for ordinary users, a layer that they write to, and a map of the attacker. */
export async function makeTown(service: Service): Promise<void> {
  await service.make('POST', '/', { code: 'town', name: 'Town' });
  for (const code of ['places', 'notes']) await service.make('POST', '/town/layers/', { code, name: code });
  await service.make('POST', '/town/layers/notes/structure/', { code: 'text', type: 'string' });
  const features = Array.from({ length: objectCount }, (_, index) => ({
    type: 'Feature',
    properties: { name: nameOf(index), size: index % 1_000 },
    geometry: { type: 'Point', coordinates: pointOf(index) },
  }));
  const collection = JSON.stringify({ type: 'FeatureCollection', features });
  await service.upload('POST', '/town/layers/places/import/', 'places.geojson', collection);
  await service.make('POST', '/', { code: 'attack' });
  await service.make('POST', '/attack/layers/', { code: 'a' });
  await service.upload('POST', '/attack/layers/a/import/', 'places.geojson', collection);
  for (const login of [...logins, attacker]) await service.make('POST', '/users/', { login, password });
  for (const login of logins)
    await service.make('PUT', '/town/layers/notes/rights/', { user: login, right: 'edit' });
  await service.make('PUT', '/attack/rights/', { user: attacker, right: 'edit' });
  await service.make('PUT', '/rights/', { user: attacker, right: 'edit' });
}
