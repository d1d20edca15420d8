export { stringLimit } from './accept.js';
export { type Column, type LocalizedName, valueColumns } from './column.js';
export { attributeName, type Placed, packSize, placeName, stored, target } from './column-name.js';
export { isoText } from './conversion.js';
export { intlLocales } from './display.js';
export { isLanguage, languagePattern, spelledLanguage } from './languages.js';
export { datetimePattern, zonePattern } from './patterns.js';
export type { Languages, ObjectRow, Output, OutputCrs } from './row.js';
export { trimmed } from './trimmed.js';
export { type ColumnType, hasValues, isScalar, type UserColumnTypes, userColumnTypes } from './types.js';
export {
  type AcceptedValue,
  acceptColumn,
  acceptScalar,
  acceptValue,
  answeredValue,
  checkFormat,
  columnConversion,
  conversion,
  countValues,
  displayValue,
  isUnfilled,
  mergeLocalized,
  scalarType,
  sqlType,
  type ValueLanguages,
  valueInvalid,
  valueSql,
  type WrittenLanguages,
} from './values.js';
