import { ServiceError } from '@cartulary/errors';
import { mercatorToleranceDegrees, wgs84 } from '@cartulary/geo';
import { RowPacker } from '@cartulary/sql';
import { gatherCoordinates, misplaced, replaceCoordinates } from '../coordinates.js';
import type { OwnArchive } from '../own-exports/own-archive.js';
import { createRestorer, type Restorer } from '../own-exports/restore.js';
import type { RawFeature } from '../raw-feature.js';
import { NotDirectlyLoadable } from '../readers/direct-load.js';
import { type DirectRowListener, DirectShapefileReader } from '../readers/shapefile/direct-load.js';
import { openPart, type PartReaders, readerOptions } from './part-readers.js';
import type { FilePart, ReadingAnswer, ReadingOptions, ReadingRequest } from './reading-messages.js';
import { copyLimits, createRowMaker, type RowMaker, stagedColumns } from './rows.js';
import { Tally } from './tally.js';

type DirectLoadRequest = Extract<ReadingRequest, { kind: 'direct load' }>;

/** Parameters of a direct load: the file is read into rows of a table. */
interface DirectLoad {
  reader: DirectShapefileReader;
  /** Id of the next row. */
  nextId: number;
  /** Size at which rows are handed over, bytes. */
  batchBytes: number;
}

/** Reads one file: receives bytes of its parts, and answers each request with rows for the staging table. */
export class FileReading {
  readonly #options: ReadingOptions;
  readonly #tally = new Tally();
  readonly #maker: RowMaker;
  #packer = new RowPacker(
    stagedColumns.map(({ type }) => type),
    copyLimits,
  );
  #readers: PartReaders | undefined;
  #directLoad: DirectLoad | undefined;
  /** Restores features of an own export. */
  #restorer: Restorer | undefined;
  /** Whether the format stores the parts of one geometry as separate features. */
  #mayBePart = false;
  #isOver = false;
  /** Features that wait for their coordinates in WGS 84. */
  #waiting: RawFeature[] = [];
  #waitingSrs = wgs84;

  constructor(options: ReadingOptions) {
    this.#options = options;
    this.#maker = createRowMaker(options, this.#tally.remark);
  }

  /** Throws the errors of the file, and `NotDirectlyLoadable`. */
  answer(request: ReadingRequest): ReadingAnswer {
    switch (request.kind) {
      case 'begin':
        return this.#begin(request.part);
      case 'direct load':
        return this.#beginDirectLoad(request);
      case 'next':
        return this.#directLoad ? this.#nextDirectRows(this.#directLoad) : this.#taken(this.#nextFeatures());
      case 'bytes':
        return this.#taken(this.#readers!.reader.push(Buffer.from(request.bytes)));
      case 'end':
        return this.#taken(this.#readers!.reader.end());
      case 'coordinates':
        return this.#rowsOf(this.#placed(request.xy), mercatorToleranceDegrees);
      case 'summary':
        this.#endRestorer();
        return { kind: 'summary', summary: this.#tally.summary(this.#maker.properties) };
    }
  }

  #begin(part: FilePart): ReadingAnswer {
    this.#isOver = false;
    this.#endRestorer();
    this.#mayBePart = part.kind === 'shp' || part.kind === 'dump';
    if (part.own) this.#restore(part.own);
    this.#readers = openPart(part, {
      options: this.#options,
      tally: this.#tally,
      maker: this.#maker,
      declared: (fields) => this.#restore({ fields, whole: undefined, keepsHeights: true }),
    });
    return this.#rowsOf([]);
  }

  #nextFeatures(): RawFeature[] {
    const files = this.#readers!.files!;
    const features = files.next();
    if (features) return features;
    this.#isOver = true;
    files.close();
    return [];
  }

  #beginDirectLoad({ part, firstId, most }: DirectLoadRequest): ReadingAnswer {
    const { srs } = this.#options;
    if (part.own || (srs ?? part.srs ?? wgs84) !== wgs84) throw new NotDirectlyLoadable();
    const options = { ...readerOptions(this.#options, this.#tally), ...part, isWgs84: true };
    const reader = new DirectShapefileReader(options, this.#maker);
    const { columns } = reader;
    this.#packer = new RowPacker(['bigint', 'geometry', ...columns.map(({ type }) => type)], most);
    this.#directLoad = { reader, nextId: firstId, batchBytes: most.bytes };
    this.#tally.projection(wgs84);
    return { kind: 'direct load', columns };
  }

  #nextDirectRows(load: DirectLoad): ReadingAnswer {
    const listener: DirectRowListener = {
      row: ({ geometry, values }) => {
        values[0] = load.nextId++;
        this.#packer.add(values);
        this.#tally.taken(geometry);
      },
      refused: (error, feature) => this.#refuse(error, feature),
    };
    do this.#isOver = !load.reader.next(listener);
    while (!this.#isOver && this.#packer.bytes < load.batchBytes);
    if (this.#isOver) load.reader.close();
    return this.#packedRows();
  }

  /** Makes rows of features in WGS 84. Returns the coordinates of all others for a transformation. */
  #taken(features: RawFeature[]): ReadingAnswer {
    const srs = this.#options.srs ?? this.#readers!.reader.srs();
    if (features.length) this.#tally.projection(srs);
    if (srs === wgs84 || !features.length)
      return this.#rowsOf(features.flatMap((feature) => this.#restored(feature)));
    this.#waiting = features;
    this.#waitingSrs = srs;
    return { kind: 'transform', srs, ...gatherCoordinates(features) };
  }

  #restore(own: OwnArchive): void {
    // The archive declares more than the file in it, and is read first.
    if (this.#restorer) return;
    this.#restorer = createRestorer(own);
    this.#maker.declare(own.fields);
  }

  #endRestorer(): void {
    this.#restorer?.notes().forEach(this.#tally.note);
    this.#restorer?.close();
    this.#restorer = undefined;
  }

  /** Restores the feature as it was before an own export; returns none for a part of another feature. */
  #restored(feature: RawFeature): RawFeature[] {
    if (!this.#restorer) return [this.#mayBePart ? asOwnObject(feature) : feature];
    const made = this.#restorer.feature(feature);
    if (!made) this.#tally.joined();
    return made ? [made] : [];
  }

  /** The waiting features with their new coordinates. */
  #placed(xy: Float64Array): RawFeature[] {
    const lost = misplaced(this.#waiting, xy, this.#waitingSrs);
    replaceCoordinates(this.#waiting, xy);
    return this.#waiting.flatMap((feature) => {
      const error = feature.error ?? lost.get(feature);
      return this.#restored(error ? { ...feature, error } : feature);
    });
  }

  #rowsOf(features: readonly RawFeature[], toleranceDegrees?: number): ReadingAnswer {
    for (const feature of features) {
      try {
        const { row, geometry } = this.#maker.row(feature, toleranceDegrees);
        this.#packer.add(row);
        this.#tally.taken(geometry);
      } catch (error) {
        this.#refuse(error, feature.number);
      }
    }
    return this.#packedRows();
  }

  #packedRows(): ReadingAnswer {
    return { kind: 'rows', packed: this.#packer.take(), read: this.#tally.read, isOver: this.#isOver };
  }

  /** Lists a feature that cannot be stored, and leaves it out. Throws the error if the options do not allow that. */
  #refuse(error: unknown, feature: number): void {
    if (!(error instanceof ServiceError) || !this.#options.skipErrors || error.code === 'too_large')
      throw error;
    this.#tally.refused({ feature, code: error.code, message: error.message });
  }
}

/** Exports give negative ids to the further parts of a geometry. Without the archive's list each part becomes a new object. */
function asOwnObject(feature: RawFeature): RawFeature {
  const { properties } = feature;
  if ((properties.svc_id as number) < 0) properties.svc_id = null;
  return feature;
}
