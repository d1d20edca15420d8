import { cached } from './cached-tiles.js';
import { cheapUnderLoad } from './cheap-under-load.js';
import { low, singles, views } from './drawn-tiles.js';
import { growth } from './growth.js';
import { hexagons } from './hexagons.js';
import { images } from './images.js';
import { land } from './land.js';
import { lists } from './lists.js';
import { memory } from './memory.js';
import { builds } from './own/builds.js';
import { consoleWaits } from './own/console.js';
import { doors } from './own/doors.js';
import { fastPaths } from './own/fast-paths.js';
import { features } from './own/features.js';
import { wms } from './own/wms.js';
import { pictures } from './pictures.js';
import type { Row } from './row.js';
import { searching } from './search.js';
import { transfer } from './transfer.js';
import { vectors } from './vector-tiles.js';
import { world } from './world.js';
import { writes } from './writes.js';

/**
 * All rows in the order of measurement. Rows without caches are adjacent, because the service restarts for them. The memory
 * row comes last.
 */
export const rows: readonly Row[] = [
  pictures,
  views,
  low,
  cached,
  vectors,
  lists,
  transfer,
  land,
  writes,
  singles,
  images,
  growth,
  memory,
  world,
  searching,
  hexagons,
  consoleWaits,
  cheapUnderLoad,
  fastPaths,
  features,
  doors,
  wms,
  builds,
];
