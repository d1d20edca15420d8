import type { TextsOf } from '../../../common/texts/textsOf.js';

const plural = new Intl.PluralRules('en');
const number = new Intl.NumberFormat('en');
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${plural.select(n) === 'one' ? one : other}`;

export const en = {
  table: 'Table',
  tableOf: (layer: string) => `Table of ${layer}`,
  open: (layer: string) => `Open the table of ${layer}`,
  close: 'Close the table',
  resize: 'Height of the table',
  idTitle: 'No.',
  geometryTitle: 'Shape',
  geometryOf: (id: number) => `Geometry of object ${id}`,
  objects: (n: number) => count(n, 'object', 'objects'),
  selected: (n: number) => `${number.format(n)} selected`,
  clearSelection: 'Clear the selection',
  showSelected: 'Show on the map',
  onlyInView: 'Only what the map shows',
  emptyView: 'The map shows none of them here',
  empty: 'There are no objects yet',
  emptyHint: 'Add one here, or import a file.',
  failed: 'Rows could not be read',
  retry: 'Try again',
  notFound: 'There is no object of this layer here',
  time: 'Time of day',
  edit: (column: string, id: number) => `${column} of object ${id}`,
  notStored: (n: number) => `${count(n, 'value is', 'values are')} not stored`,
  notTried: 'It was entered before the page was closed.',
  tryAll: 'Store again',
  discardAll: 'Discard',
  undo: (what: string) => `Undo: ${what}`,
  nothing: 'nothing',
  undone: (what: string) => `Undone: ${what}`,
  addObject: 'Add an object',
  addedObject: 'An object has been added',
  addNow: 'Add',
  requiredHint: 'These values are required.',
  drawShape: 'Draw the shape',
  noFiles: 'There are no files yet.',
  addFiles: 'Add files',
  sending: 'Sending the files',
  deleteFile: (name: string) => `Delete ${name}`,
  deleteForGood: 'Delete for good',
  copyObjects: (n: number) => `Copy ${count(n, 'object', 'objects')}`,
  copied: (n: number) => `${count(n, 'object has', 'objects have')} been copied`,
  changeObjects: (n: number) => `Change ${count(n, 'object', 'objects')}`,
  changeHint: (n: number) =>
    `The value replaces what ${count(n, 'object has', 'objects have')} in this column.`,
  changeNow: 'Change',
  changed: (n: number) => `${count(n, 'object has', 'objects have')} been changed`,
  column: 'Column',
  newValue: 'New value',
  deleteObjects: (n: number) => `Delete ${count(n, 'object', 'objects')}`,
  deleteTitle: (n: number) => `Delete ${count(n, 'object', 'objects')}?`,
  deleteHint: 'You can undo this while the table is open; the objects get new numbers then.',
  filesGo: (n: number) => `${count(n, 'file goes', 'files go')} with them and cannot be brought back.`,
  deleteNow: 'Delete',
  deletedObjects: (n: number) => `${count(n, 'object has', 'objects have')} been deleted`,
  filteredOut: 'The filter leaves this object out',
  tooMany: (most: number) => `At most ${number.format(most)} objects can be selected at once`,
};

/** The texts of the table in one language. The English texts define the keys. */
export type TableTexts = TextsOf<typeof en>;
