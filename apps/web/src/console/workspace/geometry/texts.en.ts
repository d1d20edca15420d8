import type { TextsOf } from '../../../common/texts/textsOf.js';

const plural = new Intl.PluralRules('en');
const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
const count = (n: number, one: string, other: string): string =>
  `${n.toLocaleString('en')} ${plural.select(n) === 'one' ? one : other}`;

export const en = {
  title: (id: number) => `Shape of object ${id}`,
  choose: 'What do you want to draw?',
  kinds: ['Point', 'Line', 'Area'] as readonly [string, string, string],
  tools: 'Drawing tools',
  move: 'Move',
  moveHint:
    'Drag vertices; the small ones between them make new ones. A right click on a vertex deletes it. Delete removes what is selected.',
  drawHints: [
    'Click on the map.',
    'Click each vertex; click the last one again to finish.',
    'Click each corner; click the first one again to finish.',
  ] as readonly [string, string, string],
  part: 'Add a part',
  hole: 'Cut a hole',
  undo: 'Undo a step',
  save: 'Save',
  cancel: 'Cancel',
  coordinates: 'Coordinates',
  coordinatesLabel: 'Geometry as GeoJSON',
  apply: 'Take over',
  noGeoJson: 'This is no geometry of one kind in GeoJSON.',
  crossing: 'The outline crosses itself. Move a vertex, or undo the step.',
  looseHole: 'A hole lies outside of the area and cuts nothing out. Move it, or undo the step.',
  mixed: 'This object has points, lines and areas together, which cannot be drawn.',
  heights: 'This object has heights, which drawing would lose.',
  tooLarge: (n: number) => `This object has ${count(n, 'vertex', 'vertices')}, too many to be drawn.`,
  length: (metres: number) =>
    metres < 1000 ? `${number.format(metres)} m` : `${number.format(metres / 1000)} km`,
  area: (squareMetres: number) =>
    squareMetres < 10_000
      ? `${number.format(squareMetres)} m²`
      : squareMetres < 1_000_000
        ? `${number.format(squareMetres / 10_000)} ha`
        : `${number.format(squareMetres / 1_000_000)} km²`,
  vertices: (n: number) => count(n, 'vertex', 'vertices'),
  none: 'no shape',
  kept: (id: number) => `The shape of object ${id} that was drawn has not been saved`,
  goOn: 'Go on drawing',
  giveUp: 'Give it up',
  stored: (id: number) => `The shape of object ${id} has been saved`,
  step: (id: number) => `Shape of object ${id}`,
  shape: 'Shape',
};

/** The texts of drawing in one language. The English texts define the keys. */
export type GeometryTexts = TextsOf<typeof en>;
