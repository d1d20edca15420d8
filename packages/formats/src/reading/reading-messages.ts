import type { ErrorCode, ErrorData } from '@cartulary/errors';
import type { PackedRows } from '@cartulary/sql';
import type { Coordinates } from '../coordinates.js';
import type { LayerInfo, SourceField } from '../engine/orders.js';
import type { OwnArchive } from '../own-exports/own-archive.js';
import type { DirectLoadColumn } from '../readers/direct-load.js';
import type { EncodingRules } from '../readers/held.js';
import type { Classifier } from '../sxf/classifier.js';
import type { TableRules } from '../tables/rules.js';
import type { RowRules } from './rows.js';
import type { Summary } from './summary.js';

/** The format of one part of a file, and what its reader needs. */
export type FilePart = PartKind & {
  /** The columns and values that an own export declares beside its data. */
  own?: OwnArchive | undefined;
};

type PartKind =
  | { kind: 'geojson'; mayBeEmpty?: boolean }
  | { kind: 'kml'; encoding: string | undefined }
  /** Files that the thread reads itself. */
  | {
      kind: 'shp';
      shp: string;
      shx: string | undefined;
      dbf: string | undefined;
      encoding: EncodingRules;
      srs: string | undefined;
    }
  | { kind: 'dbf'; dbf: string; encoding: EncodingRules; rules: TableRules }
  | { kind: 'cells'; rules: TableRules }
  | { kind: 'csv'; encoding: string | undefined; rules: TableRules }
  | { kind: 'sxf'; encoding: string | undefined; classifier: Classifier | undefined }
  | {
      kind: 'dump';
      fields: readonly SourceField[];
      encoding: EncodingRules;
      srs: string | undefined;
      emptyPoints: boolean;
      heights: LayerInfo['heights'];
      hasEscapes?: boolean;
      omitsNulls?: boolean;
      /** How columns of a layer without geometries are taken for those. */
      rules?: TableRules | undefined;
    };

export type ShapefilePart = Extract<FilePart, { kind: 'shp' }>;

export interface ReadingOptions extends RowRules {
  /** Maximum size of a feature, bytes. */
  featureLimit: number;
  /** The projection of the request, which takes precedence over that of the file; undefined: none. */
  srs: string | undefined;
  /** Whether features that cannot be stored are listed and left out; otherwise the first one ends the reading. */
  skipErrors: boolean;
}

/** Messages to a reading thread. `file` begins the next file and has no answer; each request has one. */
export type ReadingOrder = { kind: 'file'; options: ReadingOptions } | ReadingRequest;

export type ReadingRequest =
  | { kind: 'begin'; part: FilePart }
  /** Begins a direct load. The first row gets the id `firstId`; `most` limits the rows of one answer. */
  | { kind: 'direct load'; part: ShapefilePart; firstId: number; most: { rows: number; bytes: number } }
  | { kind: 'bytes'; bytes: Uint8Array }
  /** Requests the next rows of files that the thread reads itself. */
  | { kind: 'next' }
  | { kind: 'end' }
  /** Answers `transform`. */
  | { kind: 'coordinates'; xy: Float64Array }
  | { kind: 'summary' };

export type ReadingAnswer =
  /** Rows for the staging table, and the number of features read so far. */
  | { kind: 'rows'; packed: PackedRows[]; read: number; isOver: boolean }
  /** Coordinates of features that must be transformed to WGS 84 before rows can be made. */
  | ({ kind: 'transform'; srs: string } & Coordinates)
  /** Columns of the rows of a direct load, after `svc_id` and `geom`. */
  | { kind: 'direct load'; columns: readonly DirectLoadColumn[] }
  /** The file must be read through the staging table. */
  | { kind: 'not directly loadable' }
  | { kind: 'summary'; summary: Summary }
  | { kind: 'error'; code: ErrorCode; message: string; data: ErrorData; status: number };

/** Coordinates transformed to WGS 84. */
export type WantedCoordinates = Extract<ReadingAnswer, { kind: 'transform' }>;

export type Rows = Extract<ReadingAnswer, { kind: 'rows' }>;
