export { codeFor } from './codes.js';
export { parseEncoding } from './encodings/encodings.js';
export { makeLetterPairs } from './encodings/language-pairs.js';
export type { Certainty } from './encodings/sniff.js';
export { createEngine, type Engine } from './engine/engine.js';
export type { Data, RasterInfo } from './engine/orders.js';
export { exportFormat, type Format, formatInvalid, formats } from './formats.js';
export { isBomb } from './incoming/archive.js';
export { geojsonInput, type Input } from './incoming/geojson-input.js';
export { openInput } from './incoming/input.js';
export { spoolFile } from './incoming/spool.js';
export {
  type Assignment,
  type ColumnTarget,
  type FeatureProperty,
  inferType,
  isChosen,
  kinds,
  splitLanguage,
  targetOf,
  textForm,
  usualDecimal,
} from './properties.js';
export { withNoData } from './rasters/aux-file.js';
export { decoded } from './rasters/decode.js';
export { parseRasterBox, placeOf } from './rasters/georeference.js';
export { type ImageHeader, type PixelLimits, readHeader } from './rasters/header.js';
export type { Band, ImageFormat, RasterKind } from './rasters/image.js';
export { type Layout, layoutOf } from './rasters/layout.js';
export { placeMask } from './rasters/mask.js';
export { inspect, plan, process, processedFile, type RasterTarget } from './rasters/processing.js';
export { type Incoming, type RasterSource, receiveRaster } from './rasters/source.js';
export { type DirectLoadColumn, isTakenBy, NotDirectlyLoadable } from './readers/direct-load.js';
export { type FileSource, readFiles, readRows, readSummary } from './reading/reading.js';
export type { ReadingRequest, Rows } from './reading/reading-messages.js';
export { type ReadingThread, startReading } from './reading/reading-thread.js';
export { mostStaged, stagedColumns } from './reading/rows.js';
export type { Refusal, Remark, Summary } from './reading/summary.js';
export { listedRefusals } from './reading/tally.js';
export { type Decimal, ruleValues, type TableInfo, tableRules } from './tables/rules.js';
export { textValue } from './tables/text-sql.js';
export type { TextForm } from './tables/text-values.js';
export { type Conversion, converted } from './writers/converted.js';
export { createCsvWriter, csvDelimiter, csvEncoding } from './writers/csv.js';
export type { Declared } from './writers/declared.js';
export { outFields } from './writers/fields.js';
export { createFeatureWriter } from './writers/geojson.js';
export { createKmlWriter } from './writers/kml.js';
export { parquetFile } from './writers/parquet.js';
export { targets } from './writers/targets.js';
export type { TextWriter } from './writers/text.js';
export { type WorkbookOrder, workbook } from './writers/workbooks.js';
