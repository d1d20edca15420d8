import { createHash } from 'node:crypto';
import type { Queryable } from '@cartulary/database';
import type { Block, BoxEdges } from '@cartulary/geo';
import { ChangeLog, type LayerVersion } from './change-log.js';
import type { DiskTileCache } from './disk-cache.js';
import type { KeptTile, MemoryTileCache } from './memory-cache.js';
import { decodeTileFile, encodeTileFile } from './tile-file.js';

/** A requested tile as the cache knows it. */
export interface WantedTile {
  /** Everything on which the picture depends except the data: place, style, layers, language. */
  key: string;
  /** Its layers with the versions of a plan, in their order. */
  sources: readonly LayerVersion[];
  /** The box in degrees outside of which no object of a layer changes the tile, when it was drawn in a block; undefined: no such box. */
  extentOf(source: number, drawn: Block): BoxEdges | undefined;
}

/** Versions that a file may be behind before it is written again; the change log forgets older ones. */
const maxVersionsBehind = 1_000;

/** Interval at which a used tile's file is checked. */
const checkIntervalMs = 3_600_000;

const nameOf = ({ key }: WantedTile): string => createHash('sha256').update(key).digest('binary');

export interface KeptTilesParts {
  db: Queryable;
  memory: MemoryTileCache;
  /** undefined: tiles are kept in memory alone. */
  disk: Pick<DiskTileCache, 'read' | 'write' | 'stays'> | undefined;
}

/**
 * Tiles that stay until a write touches what they show. A tile is kept with the layer versions that were read before its data.
 * It is valid for a plan when no change between its versions and the plan's versions touched its extent.
 * Each write logs its boxes in its own transaction, and each plan is made after its request came. So no tile is older than
 * the last acknowledged write, whichever server wrote.
 */
export class KeptTiles {
  readonly #memory: MemoryTileCache;
  readonly #disk: KeptTilesParts['disk'];
  readonly #log: ChangeLog;

  constructor({ db, memory, disk }: KeptTilesParts) {
    this.#memory = memory;
    this.#disk = disk;
    this.#log = new ChangeLog(db);
  }

  /** The tile if it exists and is valid. */
  async find(wanted: WantedTile): Promise<KeptTile | undefined> {
    const inMemory = this.#memory.get(wanted.key);
    const isValid = inMemory && (await this.#isValid(inMemory, wanted));
    const tile = isValid ? inMemory : await this.#fromDisk(wanted);
    if (tile) this.#checkFile(wanted, tile);
    return tile;
  }

  /** Keeps a picture that was drawn for a plan, in the block of one job. */
  keep(wanted: WantedTile, picture: Uint8Array, drawn: Block): KeptTile {
    const versions = wanted.sources.map(({ version }) => version);
    const tile: KeptTile = {
      versions,
      stored: undefined,
      drawn,
      checkedAt: performance.now(),
      ...this.#memory.shared(picture),
    };
    this.#memory.set(wanted.key, tile);
    this.#store(wanted, tile);
    return tile;
  }

  /** Whether the tile is valid for the plan; a valid tile gets the plan's versions. */
  async #isValid(tile: KeptTile, { sources, extentOf }: WantedTile): Promise<boolean> {
    const { versions, drawn } = tile;
    const isValid = await isUntouched(this.#log, versions, sources, (source) => extentOf(source, drawn));
    // Another plan may have raised the versions meanwhile.
    if (isValid && tile.versions === versions && versions.some((version, i) => version < sources[i]!.version))
      tile.versions = sources.map(({ version }) => version);
    return isValid;
  }

  async #fromDisk(wanted: WantedTile): Promise<KeptTile | undefined> {
    const file = await this.#disk?.read(nameOf(wanted));
    const found = file && decodeTileFile(file);
    if (!found || !(await this.#isValid(found, wanted))) return undefined;
    const tile = { ...found, ...this.#memory.shared(found.bytes) };
    this.#memory.set(wanted.key, tile);
    return tile;
  }

  /** Writes the file of a used tile again when it will be swept soon, or its versions are far behind. */
  #checkFile(wanted: WantedTile, tile: KeptTile): void {
    const { stored, versions } = tile;
    if (!this.#disk || !stored) return;
    const isBehind = versions.some((version, i) => version - stored[i]! > maxVersionsBehind);
    if (!isBehind && performance.now() - (tile.checkedAt ?? Number.NEGATIVE_INFINITY) < checkIntervalMs)
      return;
    tile.checkedAt = performance.now();
    if (isBehind || !this.#disk.stays(nameOf(wanted))) this.#store(wanted, tile);
  }

  #store(wanted: WantedTile, tile: KeptTile): void {
    const { versions } = tile;
    tile.stored = versions;
    // The tile's versions may rise before the file is encoded.
    this.#disk?.write(nameOf(wanted), () => encodeTileFile({ ...tile, versions }));
  }
}

/** Whether no change touched a tile between its versions and those of a plan. A tile newer than the plan belongs to another state of the database. */
async function isUntouched(
  log: ChangeLog,
  versions: readonly number[],
  sources: readonly LayerVersion[],
  extentOf: (source: number) => BoxEdges | undefined,
): Promise<boolean> {
  if (versions.length !== sources.length) return false;
  const behind: { source: LayerVersion; since: number; extent: BoxEdges }[] = [];
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
