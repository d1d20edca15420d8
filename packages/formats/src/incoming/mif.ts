import { ServiceError } from '@cartulary/errors';
import { readStream } from '@cartulary/runtime';

/** Minimum number of numbers after a keyword of the data section (MapInfo Data Interchange Format, "MIF Data Section"). */
const numbersAfter: Readonly<Record<string, number>> = {
  point: 2,
  line: 4,
  rect: 4,
  roundrect: 4,
  ellipse: 4,
  arc: 4,
  center: 2,
  region: 0,
  pline: 0,
  multiple: 0,
  multipoint: 0,
  collection: 0,
  none: 0,
};

/** Keywords for the style of an object. */
const looks: ReadonlySet<string> = new Set([
  'pen',
  'brush',
  'symbol',
  'font',
  'smooth',
  'spacing',
  'justify',
  'angle',
  'label',
  'text',
]);

/** Keywords that begin an object. */
const objects: ReadonlySet<string> = new Set([
  'point',
  'line',
  'pline',
  'region',
  'arc',
  'text',
  'rect',
  'roundrect',
  'ellipse',
  'multipoint',
  'collection',
  'none',
]);

/** The content of the data section of a MIF file. */
export interface MifObjects {
  count: number;
  /** Number of objects that are texts. */
  texts: number;
}

/** Counts objects line by line, as GDAL does. Parts of a collection look like objects but belong to it. */
function createCounter(): MifObjects & { take(line: string): void } {
  let parts = 0;
  return {
    count: 0,
    texts: 0,
    take(line) {
      const [, first = '', number] = /^\s*([a-z]+)(?:\s+(\d+))?/i.exec(line) ?? [];
      const word = first.toLowerCase();
      if (!objects.has(word)) return;
      if (parts) {
        parts--;
        return;
      }
      this.count++;
      if (word === 'text') this.texts++;
      if (word === 'collection') parts = Number(number ?? 0);
    },
  };
}

const isNumber = (token: string): boolean => token !== '' && Number.isFinite(Number(token));

/** The error in a line of the data section, as far as the line alone shows it; undefined if there is none. */
function mistakeIn(line: string): string | undefined {
  const text = line.trim();
  if (text === '' || text.startsWith('"')) return undefined;
  // GDAL takes of `30,5` the 30; a comma may only stand between numbers, before a blank.
  const [first = '', ...rest] = text.split(/,?\s+/);
  const word = /^[a-z]+/i.exec(first)?.[0].toLowerCase() ?? '';
  if (looks.has(word)) return undefined;
  const needed = numbersAfter[word];
  if (needed === undefined || word !== first.toLowerCase()) {
    const wrong = [first, ...rest].find((token) => token !== '' && !isNumber(token));
    return wrong === undefined ? undefined : `'${wrong.slice(0, 50)}' is no number`;
  }
  const numbers = rest.slice(0, needed);
  const wrong = numbers.find((token) => !isNumber(token));
  if (wrong !== undefined) return `'${wrong.slice(0, 50)}' is no number`;
  return numbers.length < needed ? `${first} needs ${needed} numbers` : undefined;
}

/** Longest line, characters: those of programs have less than 100. */
const longestLine = 1024 * 1024;

/** The lines of a text. Throws `import_failed` for one that is longer than any program writes: it could take all memory. */
async function* linesOf(chunks: AsyncIterable<string>, name: string): AsyncGenerator<string> {
  let rest = '';
  let number = 1;
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    number += lines.length;
    if (rest.length > longestLine) throw damaged(name, number, 'it is too long');
    yield* lines;
  }
  yield rest;
}

/**
 * The objects of a MIF file. GDAL reads invalid numbers as 0 without a warning, so this throws `import_failed` that
 * names the line.
 */
export async function checkMif(path: string, name: string): Promise<MifObjects> {
  const file = readStream(path, 'latin1');
  try {
    let number = 0;
    let isData = false;
    const counter = createCounter();
    for await (const line of linesOf(file, name)) {
      number += 1;
      const mistake = isData ? mistakeIn(line) : undefined;
      if (mistake) throw damaged(name, number, mistake);
      if (isData) counter.take(line);
      isData ||= /^\s*data\s*$/i.test(line);
    }
    return counter;
  } finally {
    file.destroy();
  }
}

const damaged = (name: string, line: number, mistake: string): ServiceError =>
  new ServiceError('import_failed', `'${name.slice(0, 100)}', line ${line}: ${mistake}`, { line });
