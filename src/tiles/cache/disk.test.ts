import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { createTileDisk, type TileAddress } from './disk.js';
import { tagOf } from './memory.js';
import { decodeTileFile, encodeTileFile } from './tile-file.js';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const at = (pack: string, name = pack): TileAddress => ({ pack: hash(pack), name: hash(name) });

/** A tile whose picture is a text. */
function fileOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  const drawn = { x: 1, y: 2, columns: 3, rows: 4 };
  return encodeTileFile({ bytes, tag: tagOf(bytes), versions: [5, 6], drawn });
}

function makeDisk(t: TestContext, limit: number) {
  const root = mkdtempSync(join(tmpdir(), 'cartulary-disk-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const warnings: string[] = [];
  const warn = (_: unknown, text: string): void => void warnings.push(text);
  const log = { debug: warn, info: warn, warn, error: warn } as never;
  const open = () => createTileDisk({ root, scope: 'scope', limit }, log);
  const pathOf = ({ pack }: TileAddress): string => join(root, 'scope', pack.slice(0, 2), pack);
  return { root, warnings, pathOf, open, disk: open() };
}

/** The picture of a tile that is there and whole. */
async function textAt(
  disk: ReturnType<typeof createTileDisk>,
  place: TileAddress,
): Promise<string | undefined> {
  const file = await disk.read(place);
  const tile = file && decodeTileFile(file);
  return tile && String(Buffer.from(tile.bytes));
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

test('what is written is there, and is gone when the folder is', async (t) => {
  const { root, disk, open, pathOf } = makeDisk(t, 1e9);
  const [one, two, other] = [at('p', '1'), at('p', '2'), at('q', '1')];
  assert.equal(await textAt(disk, one), undefined);
  disk.write(one, () => fileOf('one'));
  disk.write(two, () => fileOf('two'));
  disk.write(other, () => fileOf('of another pack'));
  disk.write(two, () => fileOf('two again'));
  await disk.settled();
  assert.equal(await textAt(disk, one), 'one');
  assert.equal(await textAt(disk, two), 'two again');
  assert.equal(await textAt(disk, other), 'of another pack');
  assert.equal(await textAt(disk, at('p', '3')), undefined);
  assert.deepEqual(readdirSync(join(root, 'scope')).length, 2, 'a file for each pack');
  disk.write(one, () => fileOf('anew'));
  await disk.settled();
  assert.equal(await textAt(disk, one), 'anew', 'the last counts');
  assert.equal(await textAt(open(), one), 'anew', 'also for who has seen nothing of it');
  assert.deepEqual(decodeTileFile((await disk.read(one))!)!.drawn, { x: 1, y: 2, columns: 3, rows: 4 });
  rmSync(pathOf(one));
  assert.equal(await textAt(disk, one), undefined);
  disk.write(two, () => fileOf('after all'));
  await disk.settled();
  assert.deepEqual([await textAt(disk, one), await textAt(disk, two)], [undefined, 'after all']);
});

test('several processes append to one pack, and find what the others have written', async (t) => {
  const { disk, open } = makeDisk(t, 1e9);
  const others = [disk, open(), open()];
  const names = Array.from({ length: 60 }, (_, i) => `tile ${i}`);
  for (const [i, name] of names.entries()) others[i % 3]!.write(at('p', name), () => fileOf(name.repeat(99)));
  await Promise.all(others.map((one) => one.settled()));
  for (const one of others)
    assert.deepEqual(
      await Promise.all(names.map((name) => textAt(one, at('p', name)))),
      names.map((name) => name.repeat(99)),
    );
});

test('a pack that is cut off, changed or none gives no wrong tile, and is begun anew', async (t) => {
  const { open, pathOf } = makeDisk(t, 1e9);
  const spoil: ((file: string) => void)[] = [
    (file) => truncateSync(file, statSync(file).size - 1),
    (file) => truncateSync(file, 40),
    (file) => truncateSync(file, 5),
    (file) => writeFileSync(file, ''),
    (file) => writeFileSync(file, 'x'.repeat(500)),
    (file) => writeFileSync(file, Buffer.concat([readFileSync(file).subarray(0, 90), readFileSync(file)])),
    (file) => appendFileSync(file, 'more'),
    ...[0, 33, 41, 45, 60, -1].map((place) => (file: string) => {
      const bytes = readFileSync(file);
      bytes[place < 0 ? bytes.length + place : place]! ^= 1;
      writeFileSync(file, bytes);
    }),
    (file) => {
      rmSync(file);
      mkdirSync(file);
    },
  ];
  for (const [i, change] of spoil.entries()) {
    const [one, two] = [at(`p${i}`, 'a'), at(`p${i}`, 'b')];
    const first = open();
    first.write(one, () => fileOf('one'));
    first.write(two, () => fileOf('two'));
    await first.settled();
    assert.equal(await textAt(first, one), 'one');
    change(pathOf(one));
    for (const disk of [first, open()]) {
      assert.ok([undefined, 'one'].includes(await textAt(disk, one)), `spoilt ${i}`);
      assert.ok([undefined, 'two'].includes(await textAt(disk, two)), `spoilt ${i}`);
    }
    if (statSync(pathOf(one), { throwIfNoEntry: false })?.isDirectory()) continue;
    // What was cut off is noticed when something follows it.
    for (let tries = 0; (await textAt(first, one)) !== 'anew' && tries < 3; tries++) {
      first.write(one, () => fileOf('anew'));
      await first.settled();
    }
    assert.equal(await textAt(first, one), 'anew', `spoilt ${i}`);
  }
});

test('the folder stays below its limit; what is in use stays', async (t) => {
  const limit = 400 * 1024;
  const { root, disk, pathOf } = makeDisk(t, limit);
  const places = Array.from({ length: 300 }, (_, i) => at(String(i)));
  for (const [i, place] of places.entries()) {
    disk.write(place, () => Buffer.alloc(4_000));
    await disk.settled();
    if (i === 0) utimesSync(pathOf(place), 0, 0);
    if (i === 20) disk.touch(places[0]!);
    else if (i > 0 && i < 240) utimesSync(pathOf(place), i, i);
  }
  assert.ok(sizeOf(root) <= limit, `${sizeOf(root)} bytes`);
  assert.ok(sizeOf(root) > limit / 2);
  assert.ok(existsSync(pathOf(places[0]!)), 'it was used');
  assert.ok(!existsSync(pathOf(places[10]!)));
  assert.ok(existsSync(pathOf(places[299]!)));
});

test('a pack whose tiles were drawn anew often does not grow for ever', async (t) => {
  const { root, disk } = makeDisk(t, 1e9);
  const large = fileOf('x'.repeat(3 * 1024 * 1024));
  for (let i = 0; i < 8; i++) {
    disk.write(at('p'), () => large);
    await disk.settled();
    // What is drawn anew was looked for before.
    await disk.read(at('p'));
    assert.ok(sizeOf(root) <= 16 * 1024 * 1024);
  }
  assert.ok(sizeOf(root) > 0);
});

test('where nothing can be written nothing fails, and the operator is told once', async (t) => {
  const { root, disk, warnings } = makeDisk(t, 1e9);
  writeFileSync(join(root, 'scope'), 'a file in its place');
  for (let i = 0; i < 5; i++) disk.write(at(String(i)), () => Buffer.from('x'));
  disk.touch(at('1'));
  await disk.settled();
  assert.equal(await disk.read(at('1')), undefined);
  assert.deepEqual(warnings, ['tiles cannot be kept on the disk']);
});
