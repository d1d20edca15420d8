import { type Command, InvalidArgumentError, Option } from 'commander';

/** Where the values of a property go, as the parameter `columns` of an import. */
interface ColumnChoice {
  property: string;
  code?: string;
  type?: string;
  skip?: true;
}

export interface ColumnOptions {
  column?: ColumnChoice[];
  leaveOut?: string;
}

/** Adds the options for the columns of an import. */
export const columnOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--column <property=code>',
        'put a property into a column: NAME=title; with a type for a new one: NAME=title:text; repeatable',
      ).argParser(addChoice),
    )
    .option('--leave-out <properties>', 'with commas: properties that are not imported');

/** Parses `property=code`, `property=code:type` or `property=:type`. */
function addChoice(text: string, before: ColumnChoice[] = []): ColumnChoice[] {
  const [, property, code, type] = /^(.+)=([^:=]*)(?::(\w+))?$/s.exec(text) ?? [];
  if (!property || !(code || type))
    throw new InvalidArgumentError(
      'It must be property=code or property=code:type, such as NAME=title:text.',
    );
  return [...before, { property, ...(code ? { code } : {}), ...(type ? { type } : {}) }];
}

/** The parameter `columns`; undefined without choices. */
export function columnsParameter({ column = [], leaveOut }: ColumnOptions): string | undefined {
  const names = leaveOut?.split(',').map((name) => name.trim());
  const skipped = (names ?? []).filter(Boolean).map((property) => ({ property, skip: true as const }));
  const choices = [...column, ...skipped];
  return choices.length ? JSON.stringify(choices) : undefined;
}
