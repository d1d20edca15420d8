/** A type of text: a type of XML Schema by its name in Jsonix, a list of such values, or given values. */
export type SimpleType = { builtin: string } | { listOf: string } | { values: ReadonlySet<string> };

const name = '[\\p{L}_][\\p{L}\\p{N}\\p{M}_.\\-·]*';
const time = '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d+)?';
const date = '-?\\d{4,}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const zone = '(Z|[+-]\\d\\d:\\d\\d)?';

/** Forms of values. A type with `undefined` takes any text. */
const forms: Readonly<Record<string, string | undefined>> = {
  String: undefined,
  Token: undefined,
  AnyType: undefined,
  Boolean: 'true|false|0|1',
  Integer: '[+-]?\\d+',
  PositiveInteger: '\\+?0*[1-9]\\d*',
  NonNegativeInteger: '\\+?\\d+|-0+',
  Decimal: '[+-]?(\\d+(\\.\\d*)?|\\.\\d+)',
  Double: '[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?|-?INF|NaN',
  DateTime: `${date}T${time}${zone}`,
  Date: `${date}${zone}`,
  Time: `${time}${zone}`,
  Duration: '-?P(?=.)(\\d+Y)?(\\d+M)?(\\d+D)?(T(?=.)(\\d+H)?(\\d+M)?(\\d+(\\.\\d+)?S)?)?',
  Language: '[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*',
  Name: `(${name}:?|:)+`,
  NCName: name,
  ID: name,
  IDREF: name,
  QName: `(${name}:)?${name}`,
};

const patterns = new Map(
  Object.entries(forms).map(([type, form]) => [type, form && new RegExp(`^(${form})$`, 'u')]),
);

/** Whether a text is a value of a type. The prefix of a QName must be declared, as `prefixes` says. */
export function isValue(type: SimpleType, text: string, prefixes: Readonly<Record<string, string>>): boolean {
  if ('values' in type) return type.values.has(text.trim());
  if ('listOf' in type)
    return text
      .split(/\s+/)
      .filter(Boolean)
      .every((part) => isValue({ builtin: type.listOf }, part, prefixes));
  const { builtin } = type;
  if (!patterns.has(builtin)) throw new Error(`No form of values is known for the type ${builtin}`);
  const pattern = patterns.get(builtin);
  const value = text.trim();
  if (pattern && !pattern.test(value)) return false;
  const [, prefix] = builtin === 'QName' ? (/^(.*):/.exec(value) ?? []) : [];
  return prefix === undefined || prefixes[prefix] !== undefined;
}
