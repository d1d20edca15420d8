import { badRequest } from '@cartulary/errors';
import { Type } from 'typebox';

/** The query parameter `layers` of tiles. */
export const LayersParameter = Type.Optional(
  Type.String({
    maxLength: 20_000,
    description:
      'Ids of layers or items of the publication tree in drawing order, with commas: the first is drawn first, under the others. ' +
      'An id that is both is the layer; a folder stands for its layers. When absent, the selected layers of the publication tree',
  }),
);

/** Parses `layers`: ids with commas; an empty text selects none. Throws 400. */
export function parseIds(text: string): number[] {
  if (text.trim() === '') return [];
  return text.split(',').map((part) => {
    const id = Number(part);
    if (!/^\s*\d{1,15}\s*$/.test(part))
      throw badRequest('layers: ids separated by commas', { parameters: ['layers'] });
    return id;
  });
}
