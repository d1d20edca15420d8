const plural = new Intl.PluralRules('en');
const number = new Intl.NumberFormat('en');
const seconds = new Intl.NumberFormat('en', { maximumFractionDigits: 1, style: 'unit', unit: 'second' });
const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const rowsOf = (n: number): string => `${number.format(n)} ${plural.select(n) === 'one' ? 'row' : 'rows'}`;

export const en = {
  addQuery: 'Query',
  newQuery: 'New query',
  tab: 'Query',
  title: 'Title',
  kind: 'When it runs',
  kinds: {
    virtual: 'Always: it shows the data as they are now',
    material: 'When you refresh it: the result is stored',
  },
  sql: 'SQL',
  hint: 'One SELECT. Layers are written map.layer. The result needs svc_id, a whole number that differs in each row, and geom to be drawn.',
  editorHelp: 'Ctrl Space suggests layers and columns. Escape, then Tab leaves the editor.',
  make: 'Run and add',
  save: 'Run and save',
  cancel: 'Cancel',
  running: 'The query is running …',
  stop: 'Stop',
  stopped: 'The query has been stopped',
  preview: 'Preview',
  previewRows: 'Preview: first rows, nothing is stored',
  place: (line: number, column: number) => `Line ${line}, column ${column}`,
  took: (ms: number) => `It took ${seconds.format(ms / 1000)}`,
  refresh: 'Refresh',
  refreshed: (at: string, rows: number) => `Refreshed ${time.format(new Date(at))}, ${rowsOf(rows)}`,
  empty: 'The query is empty: write a SELECT',
  notOwner: 'Only the user who made this layer can refresh it',
  firstRows: 'First rows',
  noRows: 'The query gives no rows',
  added: (name: string) => `${name} has been added`,
  saved: (name: string) => `Saved: ${name}`,
  renewed: (name: string) => `${name} has been refreshed`,
};

/** The texts of queries in one language. The English texts define the keys. */
export type QueryTexts = {
  [K in keyof typeof en]: (typeof en)[K] extends string
    ? string
    : (typeof en)[K] extends Record<string, string>
      ? Record<keyof (typeof en)[K], string>
      : (typeof en)[K];
};
