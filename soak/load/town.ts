import type { Service } from '../service.js';

/** Objects of the layer that all look at. */
export const objectCount = 20_000;
/** Users who may sign in, and their password. */
export const logins = Array.from({ length: 5 }, (_, index) => `user${index}`);
export const password = 'a-password-of-one';
/** Who edits a map of its own, and means harm. */
export const attacker = 'mallory';

export const pointOf = (index: number): [number, number] => [
  2 + (index % 200) / 200,
  48 + Math.floor(index / 200) / 200,
];

export const nameOf = (index: number): string => `Place ${index} of ${index % 97}`;

/** A map with points that ordinary users look at, a layer that they write to, and a map of the attacker. */
export async function makeTown(service: Service): Promise<void> {
  const { make, upload } = service;
  await make('POST', '/', { code: 'town', name: 'Town' });
  for (const code of ['places', 'notes']) await make('POST', '/town/layers/', { code, name: code });
  await make('POST', '/town/layers/notes/structure/', { code: 'text', type: 'string' });
  const features = Array.from({ length: objectCount }, (_, index) => ({
    type: 'Feature',
    properties: { name: nameOf(index), size: index % 1_000 },
    geometry: { type: 'Point', coordinates: pointOf(index) },
  }));
  const collection = JSON.stringify({ type: 'FeatureCollection', features });
  await upload('POST', '/town/layers/places/import/', 'places.geojson', collection);
  await make('POST', '/', { code: 'attack' });
  await make('POST', '/attack/layers/', { code: 'a' });
  await upload('POST', '/attack/layers/a/import/', 'places.geojson', collection);
  for (const login of [...logins, attacker]) await make('POST', '/users/', { login, password });
  for (const login of logins) await make('PUT', '/town/layers/notes/rights/', { user: login, right: 'edit' });
  await make('PUT', '/attack/rights/', { user: attacker, right: 'edit' });
  await make('PUT', '/rights/', { user: attacker, right: 'edit' });
}
