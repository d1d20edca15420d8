import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodingNamed } from '../readers/encodings.js';
import type { EncodingRules } from '../readers/held.js';
import { type Dataset, headOf } from './datasets.js';

/** Language driver ids of DBF files (byte 29; ESRI's list) → encoding. */
const drivers: Readonly<Record<number, string>> = {
  1: 'cp437',
  2: 'cp850',
  3: 'windows-1252',
  19: 'shift_jis',
  38: 'cp866',
  77: 'gbk',
  78: 'euc-kr',
  79: 'big5',
  87: 'windows-1252',
  88: 'windows-1252',
  89: 'windows-1252',
  100: 'cp852',
  101: 'cp866',
  102: 'cp865',
  106: 'cp737',
  107: 'cp857',
  120: 'big5',
  121: 'euc-kr',
  122: 'gbk',
  123: 'shift_jis',
  124: 'cp874',
  125: 'windows-1255',
  126: 'windows-1256',
  200: 'windows-1250',
  201: 'windows-1251',
  202: 'windows-1254',
  203: 'windows-1253',
  204: 'windows-1257',
};

/** What is known of the encoding of a dataset's texts. `given`: the parameter. */
export async function encodingOf(
  folder: string,
  { kind, file, beside }: Dataset,
  given: string | undefined,
): Promise<EncodingRules> {
  if (kind === 'shp') {
    const stem = join(folder, file.replace(/\.shp$/, ''));
    const cpg = beside.has('cpg')
      ? encodingNamed((await readFile(`${stem}.cpg`, 'latin1')).slice(0, 100))
      : undefined;
    const driver = beside.has('dbf') ? (await headOf(`${stem}.dbf`))[29] : undefined;
    return { known: given ?? cpg, hint: drivers[driver ?? 0] };
  }
  if (kind === 'mif' || kind === 'tab') return { known: given, hint: await neutralized(join(folder, file)) };
  return { known: 'utf-8', hint: undefined };
}

/** Takes the name of the charset out of a MapInfo header, so that texts come as the bytes that they are; gives the encoding that it named. */
async function neutralized(path: string): Promise<string | undefined> {
  const head = (await headOf(path)).toString('latin1');
  const line = /^(\s*!?charset\s+"?)([\w-]+)("?)/im.exec(head);
  if (!line) return undefined;
  const [whole, before, name, after] = line as unknown as [string, string, string, string];
  if (name.length >= 'Neutral'.length) {
    const file = await open(path, 'r+');
    const text = `${before}Neutral${after}`.padEnd(whole.length);
    await file.write(Buffer.from(text, 'latin1'), 0, whole.length, line.index);
    await file.close();
  }
  return encodingNamed(name);
}

/** The code page of a DXF drawing (`$DWGCODEPAGE`), as GDAL wants it: from AutoCAD 2007 on it is UTF-8 whatever the file says. */
export async function dxfEncoding(path: string, given: string | undefined): Promise<string> {
  if (given) return given.replace('windows-', 'CP').toUpperCase();
  const head = (await headOf(path)).toString('latin1');
  const version = Number(/\$ACADVER\s*\r?\n\s*1\s*\r?\n\s*AC(\d{4})/.exec(head)?.[1]);
  if (version >= 1021) return 'UTF-8';
  const page = encodingNamed(/\$DWGCODEPAGE\s*\r?\n\s*3\s*\r?\n\s*(\S+)/.exec(head)?.[1] ?? 'ANSI_1252');
  return (page ?? 'windows-1252').replace('windows-', 'CP').toUpperCase();
}
