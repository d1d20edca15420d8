import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { parseJson } from './json.js';

const parsed = (text: string): Promise<unknown> => parseJson(Buffer.from(text));
const filler = (size: number): string => JSON.stringify('x'.repeat(size));

/** An array that is larger than one piece, with commas at every place. */
const wide = (size: number): unknown[] => Array.from({ length: size }, (_, i) => i % 7);

test('parsing in pieces equals parsing at once', async () => {
  const values: unknown[] = [
    wide(300_000),
    { a: wide(90_000), b: { c: wide(90_000), '0': 'x,"[{', d: [] }, '1': null },
    [[], {}, wide(90_000), [wide(90_000), wide(90_000)], 'end'],
    Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key ${i}`, { 'ключ\\"': [i, '\u20ac'] }])),
    { text: 'a'.repeat(200_000), list: ['\\', '"', '\\"'.repeat(80_000), wide(70_000)] },
  ];
  for (const value of values) {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 1)])
      assert.deepEqual(await parsed(text), value);
  }
});

test('any JSON, with something large around, before and behind it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), async (text) => {
      const value: unknown = JSON.parse(text);
      if (/__proto__/.test(text)) return;
      assert.deepEqual(await parsed(text), value);
      const large = `{"x":[${'1,'.repeat(40_000)}2],"v":${text},"y":[${filler(70_000)},${text},${text}],"z":${text}}`;
      assert.deepEqual(await parsed(large), JSON.parse(large));
    }),
    { numRuns: 60 },
  );
});

test('bytes that are not UTF-8 are refused', async () => {
  const latin = Buffer.from('{"name":"caf\u00e9"}', 'latin1');
  const cut = Buffer.from('["\u20ac"]').fill(0x20, 4, 5);
  const large = Buffer.concat([Buffer.from(`[${filler(200_000)},"`), Buffer.from([0xff]), Buffer.from('"]')]);
  for (const bytes of [latin, cut, large]) await assert.rejects(parseJson(bytes), { status: 400 });
  assert.deepEqual(await parsed('["\ufffd"]'), ['\ufffd'], 'the replacement character itself is a character');
});

test('invalid JSON is refused wherever it is divided', async () => {
  const large = `[${'1,'.repeat(70_000)}1]`;
  const item = filler(70_000);
  const wrong = [
    '{',
    '[',
    '"',
    '[1',
    '{"a"',
    '{"a":',
    '[1,',
    '[1,]',
    '{"a":1,}',
    '[,]',
    '1,2',
    '1 2',
    '[1}',
    '{"a":1]',
    ']',
    ',',
    `${large}${large}`,
    `${large},`,
    `${large} 1`,
    `[${large}${large}]`,
    `[${large},]`,
    `[${large},,1]`,
    `[${large} 1]`,
    `{"a":${large} "b":1}`,
    `{"a":${large},}`,
    `{"a":${large}:1}`,
    `{${large}:1}`,
    `{"a" ${large}}`,
    `[1 ${large}]`,
    `["a":${large}]`,
    `[${item},,${large}]`,
    `[,${large}]`,
    `{,"a":${large}}`,
    `[${item},`,
    `[${item},]`,
    `[${item},,]`,
    `{"a":${item},}`,
    `{"a":${item},,"b":1}`,
    large.slice(0, -1),
    `${large}]`,
    `[${large}`,
    `{"a":${large}]`,
    `[1 2,${large}]`,
  ];
  for (const text of wrong) await assert.rejects(parsed(text), { code: 'bad_request' }, text.slice(0, 40));
});

test('nothing is an empty object', async () => {
  for (const text of ['', ' ', '\n\t ']) assert.deepEqual(await parsed(text), {});
});

test('the key __proto__ is refused in every spelling and at every place, and as a value it is a text', async () => {
  const spellings = [
    '__proto__',
    '\\u005f_proto__',
    '_\\u005Fproto__',
    '__pr\\u006fto__',
    '__\\u0070roto__',
    '__p\\u0072oto__',
    '__pro\\u0074o__',
    '\\u005f\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f',
  ];
  const large = wide(90_000);
  for (const key of spellings) {
    const inner = `{"a":[{"${key}":{"isAdmin":true}}]}`;
    const texts = [
      inner,
      `[${JSON.stringify(large)},${inner}]`,
      `[${inner},${JSON.stringify(large)}]`,
      `{"${key}":${JSON.stringify(large)}}`,
      `{"a":1,"${key}":{"b":${JSON.stringify(large)}}}`,
    ];
    for (const text of texts)
      await assert.rejects(parsed(text), { code: 'bad_request', message: /__proto__/ });
  }
  assert.deepEqual(await parsed('{"a":"__proto__","b":"\\u005f"}'), { a: '__proto__', b: '_' });
  assert.equal(({} as { isAdmin?: unknown }).isAdmin, undefined);
});

test('too deep nesting, and objects with too many keys, are refused', async () => {
  for (const depth of [2_501, 100_000, 4_000_000])
    await assert.rejects(parsed('['.repeat(depth) + ']'.repeat(depth)), {
      code: 'bad_request',
      message: /deep/,
    });
  await parsed('['.repeat(2_400) + ']'.repeat(2_400));
  const keys = Array.from({ length: 150_000 }, (_, i) => `"${i}k":1`);
  await assert.rejects(parsed(`{${keys.join()}}`), { code: 'bad_request', message: /keys/ });
});

test('long strings equal those parsed at once, wherever they begin and are divided', async () => {
  const parts = ['x', 'é', '€', '\u{1f600}', '\\', '"', '\u0001', '\ud83d'];
  for (const [i, part] of parts.entries()) {
    const long = `${'-'.repeat(i)}${part.repeat(300_000)}`;
    for (const value of [
      long,
      [long],
      { long },
      [1, long, 2, { a: long, b: [long, long], c: 1 }],
      { a: [[]], long },
    ]) {
      const text = JSON.stringify(value);
      const escaped = text.replaceAll(
        /[^\x20-\x7e]/g,
        (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      for (const written of [text, escaped, JSON.stringify(value, null, 2)])
        assert.deepEqual(await parsed(written), JSON.parse(written));
    }
  }
});

test('invalid long strings, and other long tokens, are refused', async () => {
  const long = 'x'.repeat(400_000);
  const wrong = [
    `"${long}`,
    `"${long}\\`,
    `"${long}\\u12"`,
    `"${long}\n${long}"`,
    `"\\q${long}"`,
    `"${long}\\ud8${long}"`,
    `"${long}" 1`,
    `["${long}" "${long}"]`,
    `[,"${long}"]`,
    `["${long}",]`,
    `{"a" "${long}"}`,
    `{:"${long}"}`,
    `{"a":"${long}":1}`,
    `{"${long}"}`,
    `{"${long}":1}`,
    `[1 "${long}"]`,
    `["${long}"}`,
    `{"a":${'9'.repeat(300_000)}}`,
    `[1,${' '.repeat(300_000)}1]`,
  ];
  for (const text of wrong)
    await assert.rejects(parsed(text), { code: 'bad_request' }, text.replaceAll(/(.)\1{9,}/g, '$1…'));
});

test('other work runs while one string is read', async (t) => {
  // The clock advances so fast that each piece exceeds a time slice.
  let now = 0;
  t.mock.method(performance, 'now', () => {
    now += 100;
    return now;
  });
  let runs = 0;
  let isDone = false;
  const count = (): void => {
    runs++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await parsed(JSON.stringify({ text: 'x'.repeat(4 * 1024 * 1024) }));
  isDone = true;
  assert.ok(runs > 60, `${runs} runs`);
});

test('other work runs between the pieces', async () => {
  let runs = 0;
  let isDone = false;
  const count = (): void => {
    runs++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const large = Buffer.from(`[${'{},'.repeat(2_000_000)}1]`);
  const all = Promise.all([parseJson(large), parseJson(large), parseJson(large)]);
  await all;
  isDone = true;
  assert.ok(runs > 10, `${runs} runs`);
});
