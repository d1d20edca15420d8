import { type Random, randomOf } from '../random.js';
import type { Service } from '../service.js';

export type LayerKind = 'points' | 'lines' | 'areas';

export const sizes = ['small', 'large'] as const;
type Size = (typeof sizes)[number];

export const map = 'styles';

/** Objects of a layer: enough for sprites of small ones. */
const counts: Record<Size, number> = { small: 4_000, large: 100 };
/** Positions of a large line or area: enough for pieces. */
const positions = 600;

type Position = [number, number];

/** A walk around a centre: closed, with bays and heads. Degrees. */
function ring([lon, lat]: Position, radius: number, count: number, random: Random): Position[] {
  const waves = Array.from({ length: 4 }, (_, i) => [
    2 + random.below(9) * (i + 1),
    random.next() * 6,
    0.25 / (i + 1),
  ]);
  const at = (i: number): Position => {
    const angle = (i / count) * 2 * Math.PI;
    const grown = waves.reduce(
      (sum, [often, from, most]) => sum + most! * Math.sin(often! * angle + from!),
      1,
    );
    return [lon + radius * grown * Math.cos(angle), lat + 0.7 * radius * grown * Math.sin(angle)];
  };
  const open = Array.from({ length: count }, (_, i) => at(i));
  return [...open, open[0]!];
}

function geometryOf(kind: LayerKind, size: Size, random: Random): object {
  const centre: Position = [-60 + 120 * random.next(), -50 + 100 * random.next()];
  if (kind === 'points') return { type: 'Point', coordinates: centre };
  const isSmall = size === 'small';
  const radius = isSmall ? 0.02 + 0.6 * random.next() ** 3 : 2 + 8 * random.next();
  const around = ring(centre, radius, isSmall ? 3 + random.below(5) : positions, random);
  if (kind === 'areas') return { type: 'Polygon', coordinates: [around] };
  // Every second line is closed; of the others more than half of a turn is left.
  return {
    type: 'LineString',
    coordinates: random.chance(0.5) ? around : around.slice(0, -around.length * 0.4),
  };
}

/** Fills a map with layers of small and of large points, lines and areas, and with places for labels that do not collide. */
export async function makeLayers(service: Service): Promise<void> {
  await service.make('POST', '/', { code: map });
  for (const size of sizes)
    for (const kind of ['points', 'lines', 'areas'] as const) {
      const random = randomOf(1);
      await makeLayer(service, `${size}_${kind}`, counts[size], () => geometryOf(kind, size, random));
    }
  await makeLayer(service, 'places', 40, (i) => ({
    type: 'Point',
    coordinates: [-55 + 22 * (i % 6), -45 + 15 * Math.floor(i / 6)],
  }));
}

async function makeLayer(
  service: Service,
  code: string,
  count: number,
  geometry: (i: number) => object,
): Promise<void> {
  await service.make('POST', `/${map}/layers/`, { code });
  const features = Array.from({ length: count }, (_, i) => ({
    type: 'Feature',
    properties: { name: `Place ${i}`, n: (i * 37) % 100, kind: 'abc'[i % 3] },
    geometry: geometry(i),
  }));
  await service.make('POST', `/${map}/layers/${code}/import/`, { type: 'FeatureCollection', features });
}
