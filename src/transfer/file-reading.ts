import { createRowPacker } from '../db/copy-binary.js';
import { ServiceError } from '../errors.js';
import { mercatorToleranceDegrees } from '../geo/bbox.js';
import { wgs84 } from '../geo/srs.js';
import { gatherCoordinates, misplaced, replaceCoordinates } from './coordinates.js';
import { createFeatureReader, type FeatureReader, type RawFeature } from './geojson.js';
import { targetOf } from './properties.js';
import { createDumpReader } from './readers/dump.js';
import { createKmlReader } from './readers/kml.js';
import type { OwnArchive } from './readers/own-archive.js';
import { createRestorer, type Restorer } from './readers/restore.js';
import { type FileReader, openShapefile } from './readers/shapefile.js';
import { openStraight, type StraightReader, type StraightRow } from './readers/shp-straight.js';
import { NotStraight } from './readers/straight.js';
import type { Part, ReadingAnswer, ReadingOptions, ReadingRequest } from './reading.js';
import { createRowMaker, mostStaged, stagedColumns } from './rows.js';
import { createSxfReader } from './sxf/sxf.js';
import { createCsvReader } from './tables/csv.js';
import { createSheetReader } from './tables/sheet.js';
import { createTally } from './tally.js';

/** A part of a geometry of ours is an object of its own to who does not know the others. */
function alone(feature: RawFeature): RawFeature {
  const { properties } = feature;
  if ((properties.svc_id as number) < 0) properties.svc_id = null;
  return feature;
}

type BeginStraight = Extract<ReadingRequest, { kind: 'straight' }>;

/** Reads one file: bytes of its parts in, rows to be staged out, one answer per request. Throws what is wrong with it, and `NotStraight`. */
export function createReading(options: ReadingOptions): (request: ReadingRequest) => ReadingAnswer {
  let packer = createRowPacker(
    stagedColumns.map(({ type }) => type),
    mostStaged,
  );
  const tally = createTally();
  const maker = createRowMaker(options, tally.remark);
  let reader: FeatureReader;
  let restorer: Restorer | undefined;
  /** Whether the format takes geometries apart. */
  let mayBePart = false;
  /** Instead of it for files that are read here. */
  let files: FileReader | undefined;
  /** Instead of both for a file that is read straight into rows. */
  let straight: StraightReader | undefined;
  let nextId = 0;
  /** Bytes of its rows that are handed over together, about. */
  let atOnce = 0;
  let isOver = false;
  /** Features whose coordinates are being transformed, and the projection that they are in. */
  let waiting: RawFeature[] = [];
  let waitingSrs = wgs84;

  /** What readers of tables want to know and have to tell. */
  const tableOptions = {
    srsIsGiven: options.srs !== undefined,
    isColumn: (name: string) => targetOf(name, options) !== undefined,
    isText: (name: string) => {
      const type = maker.declared(name) ?? targetOf(name, options)?.column.type;
      return type === 'string' || type === 'text';
    },
    columns: maker.expect,
    understood: tally.table,
    note: tally.note,
  };

  function readerOf(part: Part): FeatureReader {
    const { featureLimit, srs } = options;
    const { encoding: found, remark, note } = tally;
    const common = { first: tally.read + 1, featureLimit, found, remark, note };
    switch (part.kind) {
      case 'geojson':
        tally.encoding('utf-8');
        return createFeatureReader({ ...common, srs });
      case 'kml':
        return createKmlReader({
          ...common,
          encoding: part.encoding,
          own: (fields) => restore({ fields, whole: undefined }),
        });
      case 'sxf':
        return createSxfReader({ ...common, ...part });
      case 'dump':
        return createDumpReader({ ...common, ...part });
      case 'shp':
        return ofFiles(
          // What is put back needs its coordinates.
          openShapefile({ ...common, ...part, isWgs84: !part.own && (srs ?? part.srs ?? wgs84) === wgs84 }),
          part.srs,
        );
      case 'cells':
        return createSheetReader({ ...common, ...part, ...tableOptions });
      case 'csv':
        return createCsvReader({ ...common, ...part, ...tableOptions });
    }
  }

  /** Takes the place of a reader of bytes. */
  function ofFiles(opened: FileReader, srs = wgs84): FeatureReader {
    files = opened;
    return { push: () => [], end: () => [], srs: () => srs };
  }

  function next(): RawFeature[] {
    const features = files!.next();
    if (features) return features;
    isOver = true;
    files!.close();
    return [];
  }

  function answer(request: ReadingRequest): ReadingAnswer {
    switch (request.kind) {
      case 'begin':
        isOver = false;
        endRestorer();
        mayBePart = request.part.kind === 'shp' || request.part.kind === 'dump';
        if (request.part.own) restore(request.part.own);
        reader = readerOf(request.part);
        return rowsOf([]);
      case 'straight':
        return beginStraight(request);
      case 'next':
        return straight ? nextStraight(straight) : taken(next());
      case 'bytes':
        return taken(reader.push(Buffer.from(request.bytes)));
      case 'end':
        return taken(reader.end());
      case 'coordinates':
        return rowsOf(placed(request.xy), mercatorToleranceDegrees);
      case 'summary':
        endRestorer();
        return { kind: 'summary', summary: tally.summary(maker.properties) };
    }
  }

  function beginStraight({ part, firstId, most }: BeginStraight): ReadingAnswer {
    if (part.own || (options.srs ?? part.srs ?? wgs84) !== wgs84) throw new NotStraight();
    const { featureLimit } = options;
    const { encoding: found, remark, note } = tally;
    const common = { first: 1, featureLimit, found, remark, note };
    straight = openStraight({ ...common, ...part, isWgs84: true }, maker);
    const { columns } = straight;
    packer = createRowPacker(['bigint', 'geometry', ...columns.map(({ type }) => type)], most);
    atOnce = most.bytes;
    nextId = firstId;
    tally.projection(wgs84);
    return { kind: 'straight', columns };
  }

  function nextStraight(reader: StraightReader): ReadingAnswer {
    const take = ({ geometry, values }: StraightRow): void => {
      values[0] = nextId++;
      packer.add(values);
      tally.taken(geometry);
    };
    do isOver = !reader.next(take, refuse);
    while (!isOver && packer.bytes < atOnce);
    if (isOver) reader.close();
    return { kind: 'rows', packed: packer.take(), read: tally.read, isOver };
  }

  function taken(features: RawFeature[]): ReadingAnswer {
    const srs = options.srs ?? reader.srs();
    if (features.length) tally.projection(srs);
    if (srs === wgs84 || !features.length) return rowsOf(features.flatMap(restored));
    waiting = features;
    waitingSrs = srs;
    return { kind: 'transform', srs, ...gatherCoordinates(features) };
  }

  function endRestorer(): void {
    restorer?.notes().forEach(tally.note);
    restorer?.close();
    restorer = undefined;
  }

  function restore(own: OwnArchive): void {
    // Of an archive it has more than the file itself says.
    if (restorer) return;
    restorer = createRestorer(own);
    maker.declare(own.fields);
  }

  /** As it was, where an export of ours tells it; none: it is a part of another. */
  function restored(feature: RawFeature): RawFeature[] {
    if (!restorer) return [mayBePart ? alone(feature) : feature];
    const made = restorer.feature(feature);
    if (!made) tally.joined();
    return made ? [made] : [];
  }

  /** The features that wait, with their new coordinates. */
  function placed(xy: Float64Array): RawFeature[] {
    const lost = misplaced(waiting, xy, waitingSrs);
    replaceCoordinates(waiting, xy);
    return waiting.flatMap((feature) => {
      const error = feature.error ?? lost.get(feature);
      return restored(error ? { ...feature, error } : feature);
    });
  }

  function rowsOf(features: readonly RawFeature[], tolerance?: number): ReadingAnswer {
    for (const feature of features) {
      try {
        const { row, geometry } = maker.row(feature, tolerance);
        packer.add(row);
        tally.taken(geometry);
      } catch (error) {
        refuse(error, feature.number);
      }
    }
    return { kind: 'rows', packed: packer.take(), read: tally.read, isOver };
  }

  /** Lists and leaves out a feature that cannot be stored; where that was not asked for it ends the reading. */
  function refuse(error: unknown, feature: number): void {
    if (!(error instanceof ServiceError) || !options.skipErrors || error.code === 'too_large') throw error;
    tally.refused({ feature, code: error.code, message: error.message });
  }

  return answer;
}
