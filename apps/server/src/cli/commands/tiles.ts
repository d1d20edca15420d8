import { type Box, maxZoom } from '@cartulary/geo';
import { type Command, InvalidArgumentError } from 'commander';
import type { TileFill } from '../../tiles/render/fill.js';
import type { withDatabase } from '../client/database.js';
import { commaList, examples } from '../command-line.js';
import type { TileFillOptions } from './tiles-fill.js';

/** Most tiles that are drawn without confirmation. */
const mostUnasked = 100_000;

type Given = Omit<TileFillOptions, 'most'> & { yes?: boolean };

/** `cartulary tiles …` */
export function tileCommands(program: Command, run: typeof withDatabase): void {
  const tiles = examples(
    program.command('tiles').description('tiles of maps'),
    'tiles fill parks gardens --zooms 0-10',
    'tiles fill parks gardens --extent 2.2,48.8,2.5,48.9 --zooms 11-16 --retina',
  );
  tiles
    .command('fill <project> <map>')
    .description(
      'draw the tiles of a published map, as the public sees it, and keep them on the disk, so that nobody waits for them',
    )
    .option('--extent <degrees>', 'west,south,east,north', readExtent, {
      west: -180,
      south: -85.06,
      east: 180,
      north: 85.06,
    })
    .option('--zooms <levels>', 'one zoom level, or the first and the last', readZooms, { first: 0, last: 8 })
    .option('--layers <ids>', 'these layers in place of the selected ones', readIds)
    .option('--retina', 'those of 512 × 512 pixels')
    .option('--language <code>', 'of labels; without it the main one of the project')
    .option('--yes', `also more than ${mostUnasked} tiles`)
    .action((project: string, map: string, { yes, ...options }: Given) =>
      run(async (db) => {
        // Loaded here, so that other commands start without the renderer.
        const { fillMapTiles: fill } = await import('./tiles-fill.js');
        await fill(db, { project, map }, { ...options, most: yes ? Number.POSITIVE_INFINITY : mostUnasked });
      }),
    );
}

const wrong = (form: string) => new InvalidArgumentError(`It must be ${form}.`);

function readExtent(text: string): Box {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [west, south, east, north] = numbers as [number, number, number, number];
  const isBox = numbers.length === 4 && numbers.every(Number.isFinite) && west < east && south < north;
  if (!isBox || west < -180 || east > 180 || south < -90 || north > 90)
    throw wrong('west,south,east,north in degrees, such as 2.2,48.8,2.5,48.9');
  return { west, south, east, north };
}

function readZooms(text: string): TileFill['zooms'] {
  const [, from, to = from] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(text.trim()) ?? [];
  const [first, last] = [Number(from), Number(to)];
  if (from === undefined || first > last || last > maxZoom)
    throw wrong(`a zoom level from 0 to ${maxZoom}, or two, such as 0-8`);
  return { first, last };
}

function readIds(text: string): number[] {
  const ids = commaList(text).map(Number);
  if (!ids.length || !ids.every((id) => Number.isSafeInteger(id) && id > 0))
    throw wrong('ids of layers with commas');
  return ids;
}
