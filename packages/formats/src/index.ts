export { columnCodeFor } from './codes.js';
export { parseEncoding } from './encodings/encodings.js';
export { makeLetterPairs } from './encodings/language-pairs.js';
export type { Certainty } from './encodings/sniff.js';
export { createEngine, type Engine } from './engine/engine.js';
export type { Data, RasterInfo } from './engine/orders.js';
export { exportFormat, type Format, formatInvalid, formats } from './formats.js';
export { isDecompressionBomb } from './incoming/archive.js';
export { geojsonInput, type Input } from './incoming/geojson-input.js';
export { openInput } from './incoming/input.js';
export { spoolFile } from './incoming/spool.js';
export {
  type Assignment,
  type ColumnTarget,
  columnTargetOf,
  type FeatureProperty,
  hasChosenType,
  inferTextForm,
  inferType,
  splitLanguage,
  valueKinds,
} from './properties.js';
export { withNoData } from './rasters/aux-file.js';
export { decodeTiff } from './rasters/decode.js';
export { parseRasterBox, rasterPlaceOf } from './rasters/georeference.js';
export { type ImageHeader, type PixelLimits, readImageHeader } from './rasters/header.js';
export type { Band, ImageFormat, RasterKind } from './rasters/image.js';
export { type RasterLayout, rasterLayoutOf } from './rasters/layout.js';
export { placeMask } from './rasters/mask.js';
export { cogFile, planWarp, type RasterTarget, readRasterInfo, writeCog } from './rasters/processing.js';
export { type Incoming, type RasterSource, receiveRaster } from './rasters/source.js';
export { type DirectLoadColumn, isStoredUnchanged, NotDirectlyLoadable } from './readers/direct-load.js';
export { type FileSource, readRows, readRowsOfFiles, readSummary } from './reading/reading.js';
export type { ReadingRequest, Rows } from './reading/reading-messages.js';
export { type ReadingThread, startReading } from './reading/reading-thread.js';
export { copyLimits, stagedColumns } from './reading/rows.js';
export type { Refusal, Remark, Summary } from './reading/summary.js';
export { maxListedRefusals } from './reading/tally.js';
export { type Decimal, ruleValues, type TableInfo, tableRules } from './tables/rules.js';
export { stagedTextSql } from './tables/text-sql.js';
export { sharedDecimal, type TextForm } from './tables/text-values.js';
export { createCsvWriter, csvDelimiter, csvEncoding } from './writers/csv.js';
export type { Declared } from './writers/declared.js';
export { exportFields } from './writers/fields.js';
export { type Conversion, writeGdalFile } from './writers/gdal-file.js';
export { createFeatureWriter } from './writers/geojson.js';
export { createKmlWriter } from './writers/kml.js';
export { writeParquetFile } from './writers/parquet.js';
export { gdalTargets } from './writers/targets.js';
export type { TextWriter } from './writers/text.js';
export { type WorkbookOrder, writeWorkbook } from './writers/workbooks.js';
