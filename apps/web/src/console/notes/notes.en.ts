import { noteTemplates } from '@cartulary/errors/notes';
import type { NoteWordings } from './translator.js';

const againEncoding = 'If that is wrong, choose another encoding';

/** The notes of imports in the words of the console: the service names parameters where the console has fields. */
export const en: NoteWordings = {
  ...noteTemplates,
  otherSheets: "The sheet '{sheet}' was read, others were not: {others}. To read one of them, name it",
  severalLayers:
    'The file has {count} layers, and all were read: {names}. To read one of them alone, name it',
  encodingUndeclared: `The file does not say the encoding of its texts: by their letters {encoding} was taken ({certainty}). ${againEncoding}`,
  encodingAgainst: `The file says that its texts are in {declared}: by their letters {encoding} was taken ({certainty}). ${againEncoding}`,
  encodingConfirmed: `The file says that its texts are in {encoding}; by their letters that is {certainty}. ${againEncoding}`,
  textNotInEncoding: 'a text is not valid in the encoding {encoding}: choose another encoding',
  datumUnknown:
    'The datum of the projection ({srs}) is not known: its positions were not shifted to WGS 84, and may lie some hundred metres aside. Choose the projection',
  positionBeyondDegrees:
    'the position {x},{y} lies beyond the range of coordinates (longitude first): if it is not in degrees, choose the projection',
  otherProjection: 'its projection {srs} is not that of the rows before, {before}: choose the projection',
  noImageProjection: 'The image says where it lies, but not in which projection: choose the projection',
  projectionNotUnderstood: "'{name}' names a projection that is not understood ({projection}): choose one",
  planeCoordinates:
    "'{name}' has coordinates of a plane that is nowhere on the earth (non-earth): choose a projection",
  projectionUnknown: 'The projection of the file is not known ({srs}): choose one',
  sxfWithoutProjection: 'The SXF does not tell a projection that is known: choose one',
};
