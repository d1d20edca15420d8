import type { TextsOf } from '../../../common/texts/textsOf.js';

const plural = new Intl.PluralRules('en');
const number = new Intl.NumberFormat('en');
const valuesOf = (n: number): string =>
  `${number.format(n)} ${plural.select(n) === 'one' ? 'value' : 'values'}`;

export const en = {
  // list
  list: 'Columns in their order',
  add: 'Add a column',
  help: 'Enter changes a column, Delete deletes it, Alt with up or down moves it. Rows can be dragged, too.',
  none: 'This layer has no columns of its own yet',
  noneHint: 'Columns hold what is known of each object: a name, a number, a date.',
  ofQuery: 'The columns come from the query. Their titles, order and formats can be changed.',
  ofService: 'Every layer has it',
  required: 'required',
  localized: 'per language',
  actionsOf: (name: string) => `Actions for the column ${name}`,
  change: 'Change',
  moveUp: 'Move up',
  moveDown: 'Move down',
  remove: 'Delete',
  moved: (name: string) => `${name} has been moved`,
  changedMeanwhile: 'Somebody else has changed the columns meanwhile. This is how they are now.',
  deleteTitle: 'Delete the column?',
  deleted: (name: string) => `The column ${name} has been deleted`,
  added: (name: string) => `The column ${name} has been added`,
  saved: (name: string) => `Saved: column ${name}`,
  // form
  newColumn: 'New column',
  columnTitle: (name: string) => `Column ${name}`,
  title: 'Title',
  titleIn: (language: string) => `Title (${language})`,
  titles: 'A title in each language',
  code: 'Code',
  codeHint: 'In styles and addresses: Latin letters, digits and _',
  codeTaken: 'Another column of the layer has this code',
  codeInvalid: '1 to 44 Latin letters, digits and underscores; no digit first',
  codeReserved: 'The service keeps this code for itself',
  type: 'Type',
  types: {
    string: 'Text, one line',
    text: 'Text, long',
    number: 'Number',
    datetime: 'Date and time',
    bool: 'Yes or no',
    file: 'Files',
    json: 'JSON',
    title: 'Heading of a group',
    geom: 'Geometry',
  } as Record<string, string>,
  group: 'Under the heading',
  noGroup: 'None',
  mustFill: 'Every object must have a value',
  perLanguage: 'A value in each language',
  yes: 'yes',
  no: 'no',
  make: 'Add',
  save: 'Save',
  cancel: 'Cancel',
  // change of type
  counting: 'Counting what the change would lose …',
  nothingLost: (values: number) => `Nothing is lost: ${valuesOf(values)} can be converted`,
  noValues: 'Nothing is lost: the column is empty',
  lost: (lost: number, values: number) => `${number.format(lost)} of ${valuesOf(values)} would be lost`,
  lostOf: 'For example:',
  object: (id: number) => `Object ${id}`,
  saveAndLose: (lost: number) => `Change and lose ${valuesOf(lost)}`,
  // format
  format: 'Format',
  example: 'Example',
  formats: {
    decimals: 'Decimals',
    thousands: 'Between thousands',
    decimal: 'Decimal separator',
    prefix: 'Before',
    suffix: 'After',
    pattern: 'Pattern',
    zone: 'Time zone',
    true: 'For yes',
    false: 'For no',
    template: 'Template',
  },
  patternHint: 'yyyy year, MM month, dd day, HH hour, mm minute; letters of text between single quotes',
  templateHint: '{value} stands for the value',
  sampleText: 'Text',
};

/** The texts of columns in one language. The English texts define the keys. */
export type ColumnTexts = TextsOf<typeof en>;
