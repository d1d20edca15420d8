import { childOf, childrenOf, textOf, type XmlNode } from './xml.js';

/** Schemas by id and by name: the types of their fields by name. */
export type Schemas = Map<string, Map<string, string>>;

/** The schema of our own exports: there the name of a Placemark only repeats the value of a column. */
export const ownSchema = 'cartulary';

/** The values of a Placemark: its elements that hold one, then ExtendedData, which goes before them. */
export function kmlProperties(placemark: XmlNode, schemas: Schemas): Record<string, unknown> {
  const properties = Object.create(null) as Record<string, unknown>;
  const extended = childOf(placemark, 'ExtendedData');
  const isOwn = extended?.children.some(({ attributes }) => schemaOf(attributes) === ownSchema) ?? false;
  if (!isOwn) {
    for (const name of ['name', 'description', 'address', 'phoneNumber']) {
      const text = textOf(placemark, name);
      if (text) properties[name] = text;
    }
  }
  times(placemark, properties);
  for (const child of extended?.children ?? []) {
    if (child.name === 'Data') {
      const name = child.attributes.name ?? '';
      if (name) properties[name] = childOf(child, 'value')?.text ?? null;
    } else if (child.name === 'SchemaData') {
      const types = schemas.get(schemaOf(child.attributes));
      for (const { attributes, text } of childrenOf(child, 'SimpleData')) {
        if (attributes.name) properties[attributes.name] = typed(text, types?.get(attributes.name));
      }
    } else if (!child.children.length) properties[child.name] = child.text;
  }
  return properties;
}

const schemaOf = (attributes: Record<string, string>): string =>
  (attributes.schemaUrl ?? '').replace(/^[^#]*#/, '');

function times(placemark: XmlNode, properties: Record<string, unknown>): void {
  const [stamp, span] = [childOf(placemark, 'TimeStamp'), childOf(placemark, 'TimeSpan')];
  const put = (name: string, text: string | undefined): void => {
    if (text) properties[name] = text;
  };
  if (stamp) put('timestamp', textOf(stamp, 'when'));
  if (span) for (const name of ['begin', 'end']) put(name, textOf(span, name));
}

/** A text as the value of the type that the schema gives its field; what is none stays text. */
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
