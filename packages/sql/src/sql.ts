/**
 * SQL as text with bound values. `sql` is the only way to make a statement and `ident` the only place that
 * quotes a name, so that nothing a user sends can become SQL.
 */
export class Sql {
  constructor(
    readonly text: readonly string[],
    readonly values: readonly unknown[],
    /** See `often`. */
    readonly isOften = false,
  ) {}
}

/** A statement or a part of one: `` sql`select ${ident(column)} from t where id = ${id}` ``. Nested `Sql` is spliced in, all else is bound. */
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

/** A quoted name, parts joined by dots: `ident('data', 'layer_7')` is `"data"."layer_7"`. */
export function ident(...names: string[]): Sql {
  for (const name of names) {
    if (name === '' || name.includes('\0') || Buffer.byteLength(name) > 63) {
      throw new RangeError('not a name for the database');
    }
  }
  return new Sql([names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.')], []);
}

/** A text constant written into the statement, for the few places that cannot take a bound value (DDL, Mapnik's queries). */
export function literal(value: string): Sql {
  if (value.includes('\0')) throw new RangeError('not a text for the database');
  const quoted = `'${value.replaceAll("'", "''")}'`;
  return new Sql([value.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted], []);
}

/** Parts joined by a separator: `join([a, b])` is `a, b`. An empty list gives an empty part. */
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
 * The same statement, which comes again and again with other values, and one plan is good for all of them: outside a transaction
 * PostgreSQL reads it once per connection, the embedded database once.
 */
export const often = ({ text, values }: Sql): Sql => new Sql(text, values, true);

/** Nothing: for a clause that is left out. */
export const empty = new Sql([''], []);

/** The text for `pg`: `$1 … $n` between the parts. */
export function statement(part: Sql): { text: string; values: unknown[] } {
  let text = part.text[0]!;
  for (let i = 1; i < part.text.length; i++) text += `$${i}${part.text[i]}`;
  return { text, values: [...part.values] };
}

/** The text of a part that has no bound values, for Mapnik's queries and DDL. Throws when it has some. */
export function plainText(part: Sql): string {
  if (part.values.length) throw new Error('this SQL may not have bound values');
  return part.text[0]!;
}

/** A part with its bound values written out as constants of the type text, where a statement can bind none: in the definition of a column or view. */
export const withTexts = (part: Sql): Sql =>
  new Sql(
    [
      part.text
        .map((text, i) => (i ? `${literal(String(part.values[i - 1])).text[0]}::text` : '') + text)
        .join(''),
    ],
    [],
  );
