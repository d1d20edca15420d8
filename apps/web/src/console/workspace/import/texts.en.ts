import type { TextsOf } from '../../../common/texts/textsOf.js';

const plural = new Intl.PluralRules('en');
const number = new Intl.NumberFormat('en');
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${plural.select(n) === 'one' ? one : other}`;

export const en = {
  title: (file: string) => `Import ${file}`,
  dropHere: 'Drop the file here to import it',
  oneAtATime: (n: number) => `${count(n, 'more file waits', 'more files wait')}.`,
  all: (n: number) => `Make a layer of each of the ${number.format(n)} files`,
  cancelAll: (n: number) => `Give up all ${number.format(n)} files`,
  sending: 'Sending the file',
  reading: 'Reading the file',
  storing: 'Storing the objects',
  cancel: 'Cancel',
  foundTitle: 'What the file holds',
  format: 'Format',
  encoding: 'Encoding of texts',
  encodingGuess: {
    said: '',
    certain: '',
    likely: 'likely',
    uncertain: 'uncertain: look at the texts below',
  } as Record<string, string>,
  projection: 'Projection',
  unknown: 'not said',
  objects: 'Objects',
  following: 'Looking at the file with what is chosen…',
  asFound: 'as found',
  columns: 'Columns',
  noColumns: 'The file has no columns.',
  column: 'Column',
  type: 'Type',
  types: {
    number: 'number',
    string: 'text',
    text: 'long text',
    datetime: 'date',
    bool: 'yes or no',
    json: 'JSON',
    file: 'files',
    geom: 'geometry',
  } as Record<string, string>,
  taken: 'Take',
  takeColumn: (name: string) => `Take ${name}`,
  titleOf: (property: string) => `Title of ${property}`,
  typeOf: (name: string) => `Type of ${name}`,
  longitude: 'Longitude or x',
  latitude: 'Latitude or y',
  foundIn: (columns: string) => `as found: ${columns}`,
  sketch: 'Sketch of what the file holds',
  sketchHint: 'Dashed: where the layers of the map lie.',
  changes: 'What happens',
  addedAndChanged: (added: number, changed: number) =>
    `${number.format(added)} are added, ${number.format(changed)} are changed`,
  mergeHint: 'An object with the same value is changed; where there is none, one is added.',
  key: 'Same object by',
  chooseKey: 'choose a column',
  noKey: 'file and layer have no column in common',
  firstRows: 'First objects',
  problems: (n: number) => `${count(n, 'object', 'objects')} cannot be stored`,
  problemsHint: 'Without them the others are imported.',
  notes: 'Notes',
  nothing: 'The file has nothing that can be imported.',
  target: 'Where it goes',
  targets: {
    new: 'A new layer',
    append: 'Add to a layer',
    merge: 'Update the objects of a layer',
    replace: 'Replace the objects of a layer',
    image: 'A new layer',
    'other image': 'Replace the image of a layer',
  },
  imageStored: 'The image is stored',
  box: 'West, south, east, north',
  boxHint: 'Where the image lies, in its projection. Needed where the file does not say it.',
  replaceHint:
    'Its style, title and place stay. All objects that it has now are deleted; the import can be undone.',
  layer: 'Layer',
  layerTitle: 'Title of the layer',
  start: 'Import',
  done: 'Imported',
  stored: (n: number) => `${count(n, 'object is', 'objects are')} stored`,
  refused: (n: number) => `${count(n, 'object was', 'objects were')} left out`,
  close: 'Close',
  back: 'Back',
  row: (n: number) => `No. ${n}`,
  // the last import of a layer
  lastImport: (file: string, when: string) => `Last import: ${file ? `${file}, ` : ''}${when}`,
  undo: 'Undo the import',
  undoTitle: 'Undo the import?',
  undoWhich: (file: string, login: string, when: string) =>
    `${file || 'A file'}, imported ${login ? `by ${login} ` : ''}on ${when}.`,
  undoAdded: (n: number) => `${count(n, 'object', 'objects')} that it added will be deleted`,
  undoneChanges: (n: number) => `${count(n, 'object', 'objects')} that it changed will be as before`,
  undoRemoved: (n: number) =>
    `${count(n, 'object', 'objects')} that it replaced will come back, with their files`,
  undoColumns: (codes: string) => `Columns that it made will be deleted: ${codes}`,
  undoUntil: (when: string) => `It can be undone until ${when}, as long as nobody changes the objects.`,
  undoChanged:
    'Objects or columns have been changed since. Undoing the import would destroy these changes, so it is not possible any more.',
  undoNone: 'There is no import that could be undone.',
  undone: 'The import has been undone',
  undoneBut: (codes: string) =>
    `The import has been undone. The style reads these columns, so they stay, without values: ${codes}`,
};

/** The texts of the import in one language. The English texts define the keys. */
export type ImportTexts = TextsOf<typeof en>;
