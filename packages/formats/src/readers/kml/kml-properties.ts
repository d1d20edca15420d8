import type { ColumnType } from '@cartulary/columns';
import type { OwnField } from '../../own-exports/own-archive.js';
import { geometryElements, lookElements, textElements } from './kml-elements.js';
import { tracksOf } from './kml-geometry.js';
import { childElements, childOf, childText, type XmlNode } from './xml.js';

/** Types of fields by name. */
export type SchemaFields = ReadonlyMap<string, string>;

/** Schemas by id and by name. */
export type Schemas = Map<string, SchemaFields>;

/** The schema of our own exports, in which the name of a Placemark repeats the value of a column. */
export const ownSchema = 'cartulary';

/** Attributes of our own exports: the type of a column, and a text as JSON if it has characters that XML lacks. */
export const ownNames = {
  space: 'urn:cartulary:kml',
  type: 'cartulary:type',
  text: 'cartulary:text',
} as const;

/** The columns of an own export. */
export const ownColumns = (schema: XmlNode): OwnField[] =>
  schema.attributes.id !== ownSchema
    ? []
    : childElements(schema, 'SimpleField').flatMap((field): OwnField[] => {
        const { name = '', [ownNames.type]: type } = field.attributes;
        return type
          ? [{ name, code: name, title: childText(field, 'displayName') ?? '', type: type as ColumnType }]
          : [];
      });

/** The values of a Placemark: its elements with values, then ExtendedData, which takes precedence. */
export function kmlProperties(placemark: XmlNode, schemas: Schemas): Record<string, unknown> {
  const properties = Object.create(null) as Record<string, unknown>;
  const extended = childOf(placemark, 'ExtendedData');
  const isOwn = extended?.children.some(isOwnData) ?? false;
  const fields = schemas.get(placemark.name);
  for (const child of placemark.children) {
    const name = textElements.get(child.name);
    if (name === undefined) {
      if (isValue(child)) properties[child.name] = typed(child.text, fields?.get(child.name));
    } else if (!isOwn && child.text.trim()) properties[name] = child.text.trim();
  }
  times(placemark, properties);
  for (const child of extended?.children ?? []) {
    if (child.name === 'Data') {
      const name = child.attributes.name ?? '';
      if (name) properties[name] = childOf(child, 'value')?.text ?? null;
    } else if (child.name === 'SchemaData') {
      const types = schemas.get(schemaOf(child.attributes));
      for (const { attributes, text } of childElements(child, 'SimpleData')) {
        const { name, [ownNames.text]: own } = attributes;
        if (name) properties[name] = own === undefined ? typed(text, types?.get(name)) : wholeText(own, text);
      }
    } else if (!child.children.length) properties[child.name] = child.text;
  }
  return properties;
}

/** The text that an own export could not write, unless the written one was changed since. */
function wholeText(json: string, written: string): string {
  try {
    const whole = String(JSON.parse(json));
    return withoutForbidden(whole) === written ? whole : written;
  } catch {
    return written;
  }
}

/** Characters that XML 1.0 cannot represent (section 2.2). */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

export const withoutForbidden = (text: string): string => text.replace(forbidden, '\ufffd');
/** Whether an element of a Placemark is a custom value: of a schema, or of no standard. */
export const isValue = ({ name, text, children }: XmlNode): boolean =>
  !children.length &&
  text.trim() !== '' &&
  !textElements.has(name) &&
  !lookElements.has(name) &&
  !geometryElements.has(name);

/** Whether values are those of an own export. */
export const isOwnData = ({ attributes }: XmlNode): boolean => schemaOf(attributes) === ownSchema;

const schemaOf = (attributes: Record<string, string>): string =>
  (attributes.schemaUrl ?? '').replace(/^[^#]*#/, '');

function times(placemark: XmlNode, properties: Record<string, unknown>): void {
  const [stamp, span] = [childOf(placemark, 'TimeStamp'), childOf(placemark, 'TimeSpan')];
  const moments = tracksOf(placemark).flatMap((track) => childElements(track, 'when'));
  const put = (name: string, text: string | undefined): void => {
    if (text) properties[name] = text;
  };
  put('begin', moments[0]?.text.trim());
  put('end', moments.at(-1)?.text.trim());
  if (stamp) put('timestamp', childText(stamp, 'when'));
  if (span) for (const name of ['begin', 'end']) put(name, childText(span, name));
}

/** Converts a text to the type that the schema gives its field; an invalid one stays text. */
function typed(text: string, type: string | undefined): unknown {
  const bare = text.trim();
  if (type && /^(u?int|u?short|float|double)$/i.test(type)) {
    if (bare === '') return null;
    const number = Number(bare);
    const isExact = Number.isFinite(number) && (!/^[-+]?\d+$/.test(bare) || Number.isSafeInteger(number));
    return isExact ? number : text;
  }
  if (type && /^bool(ean)?$/i.test(type)) {
    if (bare === '') return null;
    if (/^(1|true)$/i.test(bare)) return true;
    return /^(0|false)$/i.test(bare) ? false : text;
  }
  return text;
}
