import { createHash } from 'node:crypto';
import type { Queryable } from '../../db/pool.js';
import type { Edges } from '../../geo/join-boxes.js';
import type { Block } from '../../geo/tile.js';
import { type ChangeLog, createChangeLog, type LayerVersion } from './change-log.js';
import type { TileDisk } from './disk.js';
import type { KeptTile, TileMemory } from './memory.js';
import { decodeTileFile, encodeTileFile } from './tile-file.js';

/** A tile as it is asked for. */
export interface WantedTile {
  /** All that the picture depends on but the data: where it lies, style, layers, language. */
  key: string;
  /** Its layers with the versions of a plan, in their order. */
  sources: readonly LayerVersion[];
  /** The box of the data of a layer, degrees, outside of which nothing changes the tile when it was drawn in a block; undefined: there is none. */
  extentOf(source: number, drawn: Block): Edges | undefined;
}

/**
 * Tiles that stay until a write touches what they show. One is kept with the versions of its layers that were read before it
 * was drawn from data that are as new or newer; it is good for a plan when nothing between its versions and those of the plan has
 * touched its extent. Since a write notes in its own transaction what it touches, and a plan is made after the request has
 * come, no tile is older than the last acknowledged write, by whatever server it was done.
 */
export interface KeptTiles {
  /** The tile if it is there and good. */
  find(wanted: WantedTile): Promise<KeptTile | undefined>;
  /** Keeps what was drawn for a plan, and the block that was drawn at once. */
  keep(wanted: WantedTile, picture: Uint8Array, drawn: Block): KeptTile;
}

/** How many versions behind a file may be before it is written again: what is too old is not known any more. */
const mostBehind = 1_000;

/** How often it is seen to that a tile in use stays on the disk, ms. */
const tendEvery = 3_600_000;

const nameOf = ({ key }: WantedTile): string => createHash('sha256').update(key).digest('binary');

export interface KeptTilesParts {
  db: Queryable;
  memory: TileMemory;
  /** undefined: nothing is kept there. */
  disk: TileDisk | undefined;
}

export function createKeptTiles({ db, memory, disk }: KeptTilesParts): KeptTiles {
  const log = createChangeLog(db);

  /** Whether the tile is good for the plan, whose versions it has from then on. */
  async function holds(tile: KeptTile, { sources, extentOf }: WantedTile): Promise<boolean> {
    const { versions, drawn } = tile;
    const fresh = await untouched(log, versions, sources, (source) => extentOf(source, drawn));
    // Another plan may have raised them meanwhile.
    if (fresh && tile.versions === versions && versions.some((version, i) => version < sources[i]!.version))
      tile.versions = sources.map(({ version }) => version);
    return fresh;
  }

  async function fromDisk(wanted: WantedTile): Promise<KeptTile | undefined> {
    const file = await disk?.read(nameOf(wanted));
    const found = file && decodeTileFile(file);
    if (!found || !(await holds(found, wanted))) return undefined;
    const tile = { ...found, ...memory.shared(found.bytes) };
    memory.set(wanted.key, tile);
    return tile;
  }

  /** Sees to it that the file of a tile that is asked for stays, and stays good. */
  function tend(wanted: WantedTile, tile: KeptTile): void {
    const { stored, versions } = tile;
    if (!disk || !stored) return;
    const isBehind = versions.some((version, i) => version - stored[i]! > mostBehind);
    if (!isBehind && Date.now() - (tile.tended ?? 0) < tendEvery) return;
    tile.tended = Date.now();
    if (isBehind || !disk.stays(nameOf(wanted))) store(wanted, tile);
  }

  function store(wanted: WantedTile, tile: KeptTile): void {
    const { versions } = tile;
    tile.stored = versions;
    // They may be raised before it is written.
    disk?.write(nameOf(wanted), () => encodeTileFile({ ...tile, versions }));
  }

  return {
    async find(wanted) {
      const inMemory = memory.get(wanted.key);
      const tile = inMemory && (await holds(inMemory, wanted)) ? inMemory : await fromDisk(wanted);
      if (tile) tend(wanted, tile);
      return tile;
    },
    keep(wanted, picture, drawn) {
      const versions = wanted.sources.map(({ version }) => version);
      const tile: KeptTile = {
        versions,
        stored: undefined,
        drawn,
        tended: Date.now(),
        ...memory.shared(picture),
      };
      memory.set(wanted.key, tile);
      store(wanted, tile);
      return tile;
    },
  };
}

/** Whether nothing has touched a tile between these versions and those of a plan. One that is newer than the plan comes from another state of the database. */
async function untouched(
  log: ChangeLog,
  versions: readonly number[],
  sources: readonly LayerVersion[],
  extentOf: (source: number) => Edges | undefined,
): Promise<boolean> {
  if (versions.length !== sources.length) return false;
  const behind: { source: LayerVersion; since: number; extent: Edges }[] = [];
  for (const [i, source] of sources.entries()) {
    const since = versions[i]!;
    if (since === source.version) continue;
    const extent = since < source.version ? extentOf(i) : undefined;
    if (!extent) return false;
    behind.push({ source, since, extent });
  }
  if (!behind.length) return true;
  const histories = await log.upTo(behind.map(({ source }) => source));
  return behind.every(({ source, since, extent }) => !histories.get(source.id)!.hasTouched(since, extent));
}
