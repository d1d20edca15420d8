const plural = new Intl.PluralRules('en');
const count = (n: number, one: string, other: string): string =>
  `${n.toLocaleString('en')} ${plural.select(n) === 'one' ? one : other}`;

export const en = {
  tools: 'Tools',
  toolsOf: 'Tools of the map',
  // share
  share: 'Share',
  shareHint: 'The link shows the map as you see it: place, layers and the open object.',
  link: 'Link',
  embed: 'Embed in a page',
  embedHint:
    'Paste this into the source of your page. The operator of this service decides which sites may show it.',
  embedPrivate: 'This map is not public. In another page nobody sees it.',
  openMap: (name: string) => `${name}: open the map in a new tab`,
  embedCode: 'HTML code',
  copyLink: 'Copy the link',
  copyEmbed: 'Copy the code',
  loadFailed: 'This tool could not be loaded. Check the connection and open it again.',
  // measure
  measure: 'Measure',
  distance: 'Distance',
  area: 'Area',
  measureHint:
    'Click or tap the map to set points. By keyboard: the arrow keys move the map, Enter sets a point at the crosshair.',
  undoPoint: 'Undo the last point',
  startAgain: 'Start again',
  pointsMissing: (n: number) => `Set ${count(n, 'more point', 'more points')}`,
  perimeter: (length: string) => `Perimeter ${length}`,
  lastSegment: (length: string) => `Last segment ${length}`,
  ha: 'ha',
  m2: 'm²',
  km2: 'km²',
};

/** The texts of the map's tools in one language. The English texts define the keys. */
export type ToolTexts = {
  [K in keyof typeof en]: (typeof en)[K] extends string ? string : (typeof en)[K];
};
