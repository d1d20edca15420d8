/** The door for editors in a browser: checks and tables, without the compiler's XML and cache. */
export { checkLayerStyle, type StyleLayer } from './check.js';
export { backgroundIn, withBackground } from './edits/background.js';
export { renameLayerInStyle } from './edits/rename.js';
export {
  elementName,
  type PropertyType,
  properties,
  type StyleProperty,
  type SymbolizerName,
} from './properties.js';
export type { StyleProblem } from './syntax/problems.js';
export { namedColors } from './values/color-names.js';
export { fromHex, toRgb, writeColor } from './values/colors.js';
export type { ColumnKind } from './values/convert.js';
export { knownFonts } from './values/fonts.js';
export { colorFunctionForms } from './values/functions.js';
export { filterFunctions, transformFunctions } from './values/property-functions.js';
