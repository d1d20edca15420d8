/** The parts of a parameter's JSON schema that decide how its text is read. */
export interface ParameterSchema {
  type?: string;
  enum?: readonly unknown[];
  pattern?: string;
  minLength?: number;
  anyOf?: readonly ParameterSchema[];
}

/** The schema of all parameters of a query or form. */
export interface ParametersSchema {
  properties?: Readonly<Record<string, ParameterSchema>>;
  required?: readonly string[];
}

/**
 * Returns a function that prepares the texts of a query or form for validation, in place. The empty text of an optional
 * parameter counts as absent where its schema refuses it: templates send `lng=` for a language that was not chosen. Only
 * an empty `f` stays wrong: it names no response format. Switches are read in capitals, too: Python writes `True`. A text that
 * comes again with the same value counts once.
 */
export function textsFor({
  properties = {},
  required = [],
}: ParametersSchema): (values: Record<string, unknown>) => void {
  const names = Object.keys(properties);
  const neverEmpty = new Set(
    names.filter((name) => name !== 'f' && !required.includes(name) && !takesEmpty(properties[name]!)),
  );
  const switches = new Set(names.filter((name) => isSwitch(properties[name]!)));
  const texts = new Set(names.filter((name) => properties[name]!.type === 'string'));
  const booleans = new Set(names.filter((name) => properties[name]!.type === 'boolean'));
  return (values) => {
    for (const name in values) {
      const value = values[name];
      if (Array.isArray(value)) {
        if (texts.has(name) && value.every((one) => one === value[0])) values[name] = value[0];
      } else if (value === '' && neverEmpty.has(name)) delete values[name];
      else if (typeof value === 'string' && switches.has(name)) {
        const text = value.toLowerCase();
        if (text === 'true' || text === 'false') values[name] = text;
        else if (booleans.has(name) && (text === '0' || text === '1')) values[name] = text === '1';
      }
    }
  };
}

function takesEmpty(schema: ParameterSchema): boolean {
  if (schema.anyOf) return schema.anyOf.some(takesEmpty);
  if (schema.enum) return schema.enum.includes('');
  if (schema.type !== 'string') return !['number', 'integer', 'boolean'].includes(schema.type ?? '');
  const isLongEnough = !schema.minLength;
  return isLongEnough && (schema.pattern === undefined || new RegExp(schema.pattern).test(''));
}

const isSwitch = (schema: ParameterSchema): boolean =>
  schema.type === 'boolean' || (schema.enum?.includes('true') ?? false);
