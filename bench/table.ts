export interface Row {
  work: string;
  unit: string;
  value: number;
  database?: string;
}

/** Prints the same rows of several databases side by side, as a Markdown table. */
export function printTable(columns: readonly (readonly Row[])[]): void {
  const heads = columns.map((rows) => rows[0]?.database ?? '');
  const lines = [
    ['Work', 'Unit', ...heads],
    ['---', '---', ...heads.map(() => '---:')],
  ];
  for (const [i, { work, unit }] of (columns[0] ?? []).entries()) {
    lines.push([work, unit, ...columns.map((rows) => format(rows[i]!.value))]);
  }
  process.stdout.write(`${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`);
}

const format = (value: number): string => (value >= 100 ? String(Math.round(value)) : value.toPrecision(3));
