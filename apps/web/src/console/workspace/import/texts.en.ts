const plural = new Intl.PluralRules('en');
const number = new Intl.NumberFormat('en');
const count = (n: number, one: string, other: string): string =>
  `${number.format(n)} ${plural.select(n) === 'one' ? one : other}`;

export const en = {
  title: (file: string) => `Import ${file}`,
  dropHere: 'Drop the file here to import it',
  oneAtATime: (n: number) =>
    `${count(n, 'more file waits', 'more files wait')}. Parts of one shapefile belong in one zip.`,
  sending: 'Sending the file',
  reading: 'Reading the file',
  storing: 'Storing the objects',
  cancel: 'Cancel',
  percent: (n: number) => `${n} %`,
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
  changed: 'Look again with this',
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
  firstRows: 'First objects',
  problems: (n: number) => `${count(n, 'object', 'objects')} cannot be stored`,
  problemsHint: 'Without them the others are imported.',
  notes: 'Notes',
  nothing: 'The file has nothing that can be imported.',
  target: 'Where it goes',
  newLayer: 'A new layer',
  append: 'Add to a layer',
  replace: 'Replace the objects of a layer',
  replaceHint: 'Its style, title and place stay. All objects that it has now are deleted.',
  layer: 'Layer',
  layerTitle: 'Title of the layer',
  start: 'Import',
  done: 'Imported',
  stored: (n: number) => `${count(n, 'object is', 'objects are')} stored`,
  refused: (n: number) => `${count(n, 'object was', 'objects were')} left out`,
  close: 'Close',
  back: 'Back',
  row: (n: number) => `No. ${n}`,
};

/** The texts of the import in one language. The English texts define the keys. */
export type ImportTexts = {
  [K in keyof typeof en]: (typeof en)[K] extends string ? string : (typeof en)[K];
};
