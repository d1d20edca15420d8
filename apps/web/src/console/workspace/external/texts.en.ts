import type { TextsOf } from '../../../common/texts/textsOf.js';

export const en = {
  add: 'Pictures of another server',
  newExternal: 'Pictures of another server',
  title: 'Title',
  source: 'Where the pictures come from',
  type: 'Kind of server',
  types: { xyz: 'Tiles, rows from the north (XYZ)', tms: 'Tiles, rows from the south (TMS)', wms: 'WMS' },
  url: 'Address',
  urlHints: {
    xyz: 'With {z}, {x} and {y}, for example https://tiles.example.org/{z}/{x}/{y}.png',
    tms: 'With {z}, {x} and {y}, for example https://tiles.example.org/{z}/{x}/{y}.png',
    wms: 'Of the server, for example https://maps.example.org/wms',
  },
  layers: 'Layers of the server',
  layersHint: 'Their names, with commas',
  maxZoom: 'Deepest zoom level of the server',
  attribution: 'Attribution',
  fetch: 'The service draws them among the other layers',
  fetchHint:
    'Otherwise only other programs show them. The service fetches from the hosts of its setting CARTULARY_EXTERNAL_HOSTS.',
  make: 'Add',
  save: 'Save',
  cancel: 'Cancel',
  saved: (name: string) => `Saved: ${name}`,
};

/** The texts of layers of other servers in one language. The English texts define the keys. */
export type ExternalTexts = TextsOf<typeof en>;
