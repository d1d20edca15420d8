export {
  type BufferRange,
  copyEnd,
  copyHead,
  type PackedRows,
  type PackedType,
  type PackedValue,
  RowPacker,
  unpackRows,
} from './copy-binary.js';
export { empty, ident, inlineTexts, join, literal, plainText, prepared, Sql, sql, statement } from './sql.js';
