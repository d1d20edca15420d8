import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Dataset, fileHead } from '../incoming/datasets.js';
import type { EncodingRules } from '../readers/held.js';
import { textEncodingNamed } from './encodings.js';
import { saidByHabit } from './sniff.js';

/**
 * Language driver ids of DBF files (byte 29; ESRI's list) by encoding. The id 87 ("ANSI") means the code page of the
 * machine that wrote the file.
 */
const drivers: Readonly<Record<string, readonly number[]>> = {
  cp437: [1, 9, 11, 13, 15, 17, 21, 24, 25, 27],
  cp850: [2, 10, 14, 16, 18, 20, 22, 26, 29, 37, 55],
  'windows-1252': [3, 87, 88, 89],
  macintosh: [4],
  cp865: [8, 23, 102],
  shift_jis: [19, 123],
  cp863: [28, 108],
  cp852: [31, 34, 35, 64, 100, 135],
  cp860: [36],
  cp866: [38, 101],
  gbk: [77, 122],
  'euc-kr': [78, 121],
  big5: [79, 120],
  'windows-874': [80, 124],
  cp861: [103],
  cp737: [106, 134],
  cp857: [107, 136],
  'windows-1255': [125],
  'windows-1256': [126],
  maccyrillic: [150],
  maccenteuro: [151],
  'windows-1250': [200],
  'windows-1251': [201],
  'windows-1254': [202],
  'windows-1253': [203],
  'windows-1257': [204],
};

const encodingOfDriver = (id: number | undefined): string | undefined =>
  Object.keys(drivers).find((encoding) => id !== undefined && drivers[encoding]!.includes(id));

/** The encoding that a `.cpg` names: by a code page, or by a language driver id (`LDID/201`). */
function encodingOfCpg(text: string): string | undefined {
  const driver = /^\s*LDID\/(\d+)\s*$/i.exec(text)?.[1];
  return driver === undefined ? textEncodingNamed(text) : encodingOfDriver(Number(driver));
}

/** What is known about the encoding of a dataset's texts. `given` is the parameter of the request. */
export async function encodingOf(
  folder: string,
  { kind, file, beside, isOwn }: Dataset,
  given: string | undefined,
): Promise<EncodingRules> {
  if (kind === 'shp' || kind === 'dbf') {
    const stem = join(folder, file.replace(/\.\w+$/, ''));
    const cpg = beside.has('cpg')
      ? encodingOfCpg((await fileHead(`${stem}.cpg`, 100)).toString('latin1'))
      : undefined;
    // Some programs always write the same charset, so it is as uncertain as the driver id.
    const isSure = cpg !== undefined && (isOwn || !saidByHabit.has(cpg));
    const driver = kind === 'dbf' || beside.has('dbf') ? (await fileHead(`${stem}.dbf`))[29] : undefined;
    return { known: given ?? (isSure ? cpg : undefined), hint: cpg ?? encodingOfDriver(driver) };
  }
  if (kind === 'mif' || kind === 'tab') {
    const charset = await neutralized(join(folder, file));
    return { known: given ?? (isOwn ? charset : undefined), hint: charset };
  }
  if (kind === 'dxf') return dxfEncoding(join(folder, file), given);
  return { known: 'utf-8', hint: undefined };
}

/**
 * Removes the charset from a MapInfo header, so that the reader returns texts as raw bytes. Returns the encoding that it
 * named.
 */
async function neutralized(path: string): Promise<string | undefined> {
  const head = (await fileHead(path)).toString('latin1');
  const line = /^([ \t]*!?charset\s+"?)([\w-]+)("?)/im.exec(head);
  if (!line) return undefined;
  const [whole, before, name, after] = line as unknown as [string, string, string, string];
  // Without a charset the reader returns raw bytes as well; for a shorter name there is no room.
  const text = name.length >= 'Neutral'.length ? `${before}Neutral${after}` : '';
  const file = await open(path, 'r+');
  await file
    .write(Buffer.from(text.padEnd(whole.length), 'latin1'), 0, whole.length, line.index)
    .finally(() => file.close());
  return textEncodingNamed(name);
}

/** The encoding of a DXF drawing (`$DWGCODEPAGE`). Since AutoCAD 2007 it is UTF-8, whatever the header says. */
async function dxfEncoding(path: string, given: string | undefined): Promise<EncodingRules> {
  const head = (await fileHead(path)).toString('latin1');
  const version = Number(/\$ACADVER\s+1\s+AC(\d{4})/.exec(head)?.[1]);
  const page = /\$DWGCODEPAGE\s+3\s+(\S+)/.exec(head)?.[1] ?? '';
  return { known: given, hint: version >= 1021 ? 'utf-8' : textEncodingNamed(page) };
}
