import { noteOf } from '@cartulary/errors/notes';
import type { Remarker } from '../../reading/summary.js';
import { geometryElements, lookElements, textElements } from './kml-elements.js';
import { type Say, tracksOf } from './kml-geometry.js';
import { isOwnData, isValue } from './kml-properties.js';
import { childElements, childText, type XmlNode } from './xml.js';

const shown = noteOf('howShown');
export const unread = noteOf('notRead');

/** Elements that make up a geometry. */
const ofGeometries: ReadonlySet<string> = new Set([
  'coordinates',
  'outerBoundaryIs',
  'innerBoundaryIs',
  'coord',
  'when',
]);

/** Records elements of a Placemark that become neither its geometry nor a property. */
export function remarkOn(placemark: XmlNode, number: number, remark: Remarker): void {
  const say: Say = (what, becomes) => remark(what, becomes, number);
  if (placemark.attributes.id) say(noteOf('elementId'), unread);
  for (const child of placemark.children) {
    if (lookElements.has(child.name)) say(child.name, shown);
    else if (geometryElements.has(child.name)) remarkOnGeometry(child, say);
    else if (child.name === 'ExtendedData') remarkOnData(child, textsOf(placemark), say);
    else if (!textElements.has(child.name) && !isTime(child) && !isValue(child)) say(child.name, unread);
  }
  const moments = tracksOf(placemark).flatMap((track) => childElements(track, 'when'));
  if (moments.length > 2) say(noteOf('trackWithMoments'), noteOf('firstAndLast'));
}

const isTime = ({ name }: XmlNode): boolean => name === 'TimeStamp' || name === 'TimeSpan';

function remarkOnGeometry(geometry: XmlNode, say: Say): void {
  for (const child of geometry.children) {
    if (geometryElements.has(child.name)) remarkOnGeometry(child, say);
    else if (lookElements.has(child.name)) say(child.name, shown);
    else if (!ofGeometries.has(child.name)) say(child.name, unread);
  }
}

/** The texts of a Placemark by the names of their properties. */
function textsOf({ children }: XmlNode): Map<string, string> {
  const texts = children.map(({ name, text }): [string, string] => [
    textElements.get(name) ?? '',
    text.trim(),
  ]);
  return new Map(texts.filter(([name, text]) => name && text));
}

/** `texts`: values that have a name already. A value may repeat one of them. */
function remarkOnData(data: XmlNode, texts: ReadonlyMap<string, string>, say: Say): void {
  const names = new Set<string>();
  // The name of a Placemark of an own export is the value of any of its columns.
  const others = data.children.some(isOwnData) ? new Map<string, string>() : texts;
  const once = ({ attributes: { name } }: XmlNode, text = ''): void => {
    const other = others.get(name ?? '');
    if (!name) say(noteOf('valueWithoutName'), unread);
    else if (names.has(name) || (other !== undefined && other !== text.trim()))
      say(noteOf('nameTwice'), noteOf('lastKept'));
    else names.add(name);
  };
  for (const child of data.children) {
    if (child.name === 'Data') once(child, childText(child, 'value'));
    else if (child.name === 'SchemaData') {
      for (const part of child.children) {
        if (part.name === 'SimpleData') once(part, part.text);
        else say(part.name, unread);
      }
    } else if (child.children.length) say(child.name, unread);
  }
}
