import { userColumnTypes } from '@cartulary/columns';
import { InvalidArgumentError } from 'commander';

/** A column in the form of the interface. */
export interface CliColumn {
  code: string;
  type: string;
  required?: boolean;
  localized_value?: boolean;
}

const types: readonly string[] = userColumnTypes;
const traits = { required: 'required', localized: 'localized_value' } as const;

const wrong = (message: string): InvalidArgumentError => new InvalidArgumentError(message);

/** Parses the type of a column. Throws for commander. */
export function readType(text: string): string {
  if (types.includes(text)) return text;
  throw wrong(`The type must be one of ${types.join(', ')}.`);
}

/** Parses `code:type` with `:required` and `:localized` after it. Throws for commander. */
export function readColumn(text: string): CliColumn {
  const [code = '', type, ...rest] = text.split(':');
  if (!code || type === undefined) throw wrong('It must be code:type, such as name:string.');
  const column: CliColumn = { code, type: readType(type) };
  for (const word of rest) {
    if (!Object.hasOwn(traits, word))
      throw wrong(`Behind the type stand only ${Object.keys(traits).join(' and ')}.`);
    column[traits[word as keyof typeof traits]] = true;
  }
  return column;
}
