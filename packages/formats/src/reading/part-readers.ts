import { wgs84 } from '@cartulary/geo';
import type { OwnArchive, OwnField } from '../own-exports/own-archive.js';
import { columnTargetOf } from '../properties.js';
import type { FeatureReader, RawFeature } from '../raw-feature.js';
import { createDumpReader } from '../readers/dump.js';
import { createFeatureReader } from '../readers/geojson/geojson.js';
import { createKmlReader } from '../readers/kml/kml.js';
import { openDbfTable } from '../readers/shapefile/dbf-table.js';
import { type FileReader, openShapefile } from '../readers/shapefile/shapefile.js';
import { createSxfReader } from '../sxf/sxf.js';
import { createCsvReader } from '../tables/csv.js';
import { createPlacer, type Placer } from '../tables/placed-features.js';
import type { TableRules } from '../tables/rules.js';
import { createSheetReader } from '../tables/sheet.js';
import type { FilePart, ReadingOptions } from './reading-messages.js';
import type { RowMaker } from './rows.js';
import type { Tally } from './tally.js';

/** The readers of one part of a file: bytes are pushed to `reader`, unless `files` reads the part from disk. */
export interface PartReaders {
  reader: FeatureReader;
  files?: FileReader | undefined;
}

export interface PartContext {
  options: ReadingOptions;
  tally: Tally;
  maker: RowMaker;
  /** Receives the columns that a KML of our own declares. */
  declared(fields: readonly OwnField[]): void;
}

/** Options of all readers: number of their first feature, limits and listeners. */
export const readerOptions = ({ featureLimit }: ReadingOptions, tally: Tally) => ({
  first: tally.read + 1,
  featureLimit,
  found: tally.encoding,
  remark: tally.remark,
  note: tally.note,
});

export function openPart(part: FilePart, context: PartContext): PartReaders {
  const { options, tally, declared } = context;
  const { srs } = options;
  const common = readerOptions(options, tally);
  switch (part.kind) {
    case 'geojson':
      tally.encoding('utf-8');
      return { reader: createFeatureReader({ ...common, ...part, srs }) };
    case 'kml':
      return { reader: createKmlReader({ ...common, encoding: part.encoding, own: declared }) };
    case 'sxf':
      return { reader: createSxfReader({ ...common, ...part }) };
    case 'dump':
      return { reader: placedReader(createDumpReader({ ...common, ...part }), placerOf(part, context)) };
    case 'shp': {
      // The restorer of an own archive needs the coordinates of its features.
      const isWgs84 = !part.own && (srs ?? part.srs ?? wgs84) === wgs84;
      return ofFiles(openShapefile({ ...common, ...part, isWgs84 }), part.srs);
    }
    case 'dbf':
      return placedFiles(openDbfTable({ ...common, ...part }), placerOf(part, context));
    case 'cells':
      return { reader: createSheetReader({ ...common, ...part, ...tableOptions(context) }) };
    case 'csv':
      return { reader: createCsvReader({ ...common, ...part, ...tableOptions(context) }) };
  }
}

const ofFiles = (files: FileReader, srs = wgs84): PartReaders => ({
  files,
  reader: { push: () => [], end: () => [], srs: () => srs },
});

/** What places the features of a part without geometries; undefined for others. An own export says what its columns are. */
function placerOf(
  { rules, own }: { rules?: TableRules | undefined; own?: OwnArchive | undefined },
  context: PartContext,
): Placer | undefined {
  if (!rules || own) return undefined;
  return createPlacer({ ...readerOptions(context.options, context.tally), ...tableOptions(context), rules });
}

const placedReader = (reader: FeatureReader, placer: Placer | undefined): FeatureReader =>
  placer
    ? {
        push: (chunk) => placer.take(reader.push(chunk)),
        end: () => [...placer.take(reader.end()), ...placer.end()],
        srs: () => placer.srs() ?? reader.srs(),
      }
    : reader;

function placedFiles(files: FileReader, placer: Placer | undefined): PartReaders {
  if (!placer) return ofFiles(files);
  let isOver = false;
  const next = (): RawFeature[] | undefined => {
    if (isOver) return undefined;
    const features = files.next();
    isOver = !features;
    return features ? placer.take(features) : placer.end();
  };
  const { reader } = ofFiles(files);
  return { files: { ...files, next }, reader: placedReader(reader, placer) };
}

/** Options of readers of tables: questions about columns, and listeners. */
const tableOptions = ({ options, tally, maker }: PartContext) => ({
  srsIsGiven: options.srs !== undefined,
  isColumn: (name: string) => columnTargetOf(name, options) !== undefined,
  isText: (name: string) => {
    const type = maker.declared(name) ?? columnTargetOf(name, options)?.column.type;
    return type === 'string' || type === 'text';
  },
  columns: maker.expect,
  understood: tally.table,
  note: tally.note,
});
