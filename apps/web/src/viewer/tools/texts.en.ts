import type { TextsOf } from '../../common/texts/textsOf.js';

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
  // objects in view
  objects: 'Objects and filter',
  noLayerWithObjects: 'Switch on a layer with objects.',
  filterBy: 'Filter by',
  noFilter: 'All objects',
  noValues: 'No object has a value here.',
  frequentValues: (n: number) => `The ${count(n, 'most frequent value', 'most frequent values')}:`,
  from: 'From',
  to: 'To',
  play: 'Play',
  pause: 'Pause',
  inView: (n: number) => `${count(n, 'object', 'objects')} in view`,
  firstInView: (n: number) =>
    `The first ${n.toLocaleString('en')} objects in view. Zoom in to see the others`,
  filters: 'Filters',
  showAll: (name: string) => `${name}: show all objects`,
  // compare
  compare: 'Compare with another map',
  compareHint: 'The other map lies right of the line. Drag the line, or move it with the arrow keys.',
  otherMap: 'Other map',
  chooseMap: 'Choose a map',
  noOtherMap: 'There is no other map to compare with.',
  divider: (left: string, right: string) => `Line between ${left} and ${right}`,
  // sheet
  sheet: 'Print and picture',
  sheetHint: 'The sheet shows the part of the map that you see.',
  title: 'Title',
  print: 'Print or save as PDF',
  savePicture: 'Save as picture',
  drawAgain: 'Take what is seen now',
};

/** The texts of the map's tools in one language. The English texts define the keys. */
export type ToolTexts = TextsOf<typeof en>;
