/**
 * SQL text with bound values. `sql` is the only way to write a statement, and `ident` is the only function that quotes a
 * name, so that no input of a user becomes SQL.
 */
export class Sql {
  constructor(
    readonly text: readonly string[],
    readonly values: readonly unknown[],
    /** See `prepared`. */
    readonly isPrepared = false,
  ) {}
}

/** A statement or a part of one: `` sql`select ${ident(column)} from t where id = ${id}` ``. Nested `Sql` is inserted as text, every other value is bound. */
export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Sql {
  const text = [strings[0]!];
  const values: unknown[] = [];
  parts.forEach((part, i) => {
    const after = strings[i + 1]!;
    if (part instanceof Sql) {
      text[text.length - 1] += part.text[0]!;
      text.push(...part.text.slice(1));
      text[text.length - 1] += after;
      values.push(...part.values);
    } else {
      text.push(after);
      values.push(part);
    }
  });
  return new Sql(text, values);
}

/** A quoted name with its parts joined by dots: `ident('data', 'layer_7')` is `"data"."layer_7"`. */
export function ident(...names: string[]): Sql {
  for (const name of names) {
    if (name === '' || name.includes('\0') || Buffer.byteLength(name) > 63) {
      throw new RangeError('not a name for the database');
    }
  }
  return new Sql([names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.')], []);
}

/** A text constant inside the statement, for DDL and Mapnik's queries, which take no bound values. */
export function literal(value: string): Sql {
  if (value.includes('\0')) throw new RangeError('not a text for the database');
  const quoted = `'${value.replaceAll("'", "''")}'`;
  return new Sql([value.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted], []);
}

/** Joins parts with a separator: `join([a, b])` is `a, b`. An empty list gives an empty part. */
export function join(parts: readonly Sql[], separator = ', '): Sql {
  const text = [''];
  const values: unknown[] = [];
  parts.forEach((part, i) => {
    text[text.length - 1] += (i ? separator : '') + part.text[0]!;
    text.push(...part.text.slice(1));
    values.push(...part.values);
  });
  return new Sql(text, values);
}

/**
 * Marks a statement that recurs with other values and whose plan suits all of them. Outside a transaction PostgreSQL
 * parses it once per connection, the embedded database once.
 */
export const prepared = ({ text, values }: Sql): Sql => new Sql(text, values, true);

/** The empty part, for an omitted clause. */
export const empty = new Sql([''], []);

/** The statement for `pg`, with `$1 … $n` between the parts. */
export function statement(part: Sql): { text: string; values: unknown[] } {
  let text = part.text[0]!;
  for (let i = 1; i < part.text.length; i++) text += `$${i}${part.text[i]}`;
  return { text, values: [...part.values] };
}

/** The text of a part without bound values, for Mapnik's queries and DDL. Throws if there are bound values. */
export function plainText(part: Sql): string {
  if (part.values.length) throw new Error('this SQL may not have bound values');
  return part.text[0]!;
}

/** Replaces bound values by constants of type text, for the definition of a column or view, which binds no values. */
export const inlineTexts = (part: Sql): Sql =>
  new Sql(
    [
      part.text
        .map((text, i) => (i ? `${literal(String(part.values[i - 1])).text[0]}::text` : '') + text)
        .join(''),
    ],
    [],
  );
