import assert from 'node:assert/strict';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkLayerStyle } from '@cartulary/cartocss/editor';
import type { ServiceError } from '@cartulary/errors';
import { notePlaceholder } from '@cartulary/errors/notes';
import { readQuery } from '@cartulary/select-guard';
import { runnerImport } from 'vite';

const pages = fileURLToPath(new URL('../../../../../web/src/console/mistakes/', import.meta.url));

/** A module of the pages, which are built for browsers only. */
const imported = async <T>(path: string): Promise<T> =>
  (await runnerImport<T>(pages + path, { configFile: false, logLevel: 'error' })).module;

const { mistakes } = await imported<{ mistakes: Record<string, string> }>('mistakes.ru.ts');
const { translatedMistake } = await imported<{ translatedMistake: (text: string) => string | undefined }>(
  'russianMistake.ts',
);

/** What the compiler says of a style, with what it expects instead. */
function styleMistakes(css: string): string[] {
  const columns = new Map([
    ['people', 'number'],
    ['name', 'text'],
  ] as const);
  const problems = checkLayerStyle(css, { code: 'towns', classes: [], columns }, { icons: new Map() });
  return problems.flatMap(({ message }) => message);
}

test('the mistakes of a style that are made most are told in Russian', () => {
  for (const css of [
    '#towns { marker-widht: 5; }',
    '#towns { nothing-like-it: 5; }',
    '#towns { marker-width: 5 marker-fill: red; }',
    '#towns { marker-width: 5 }}',
    '#towns { marker-width: ; }',
    '#towns { marker-width 5; }',
    '#towns { marker-width: 5;',
    '#towns { marker-fill: #ggg; }',
    '#towns { marker-fill: rde; }',
    '#towns { marker-fill: 5; }',
    '#towns { marker-fill: "red; }',
    '#towns { marker-width: wide; }',
    '#towns { marker-width: 5parsecs; }',
    '#towns { marker-opacity: 3; }',
    '#towns { marker-width: @size; }',
    '#towns { marker-width: [peopel]; }',
    '#towns [peopel > 5] { marker-width: 5; }',
    '#towns [name = 5] { marker-width: 5; }',
    '#towns [people = "a"] { marker-width: 5; }',
    '#towns [people > ] { marker-width: 5; }',
    '#towns [people == 5] { marker-width: 5; }',
    '#towns [zoom > 99] { marker-width: 5; }',
    '#towns { text-size: 10; }',
    '#towns { text-name: name; text-face-name: "DejaVu Sans Book"; }',
    '#towns { text-name: "name"; text-face-name: "DejaVu Sans Book"; }',
    '#towns { marker-file: url(nowhere); }',
    '#towns { marker-fill: darken(red); }',
    '#towns { marker-fill: dorken(red, 5%); }',
    '#lands { marker-width: 5; }',
    '.lands { marker-width: 5; }',
    'marker-width: 5;',
    '@import "a.mss";',
    '/* marker-width',
  ]) {
    const found = styleMistakes(css);
    assert.ok(found.length > 0, css);
    for (const one of found)
      assert.match(translatedMistake(one) ?? '', /\p{Script=Cyrillic}/u, `${css}: ${one}`);
  }
});

test('the mistakes of a query that are made most are told in Russian', async () => {
  for (const sql of [
    '',
    'selct svc_id from a.b',
    'select svc_id from a.b where',
    "select 'a from a.b",
    'select "a from a.b',
    'delete from a.b',
    'select svc_id from towns',
    'select svc_id from a.b; select 1',
    'select pg_sleep(5)',
    'select svc_id into c from a.b',
    'select svc_id from a.b for update',
    'with recursive w as (select 1) select * from w',
    'select svc_id::regclass from a.b',
    'select svc_id from generate_series(1, 2)',
  ]) {
    const failure = await readQuery(sql, { isStored: false, limitBytes: 1_000 }).then(
      () => assert.fail(sql),
      (error: ServiceError) => error,
    );
    const problem = String(failure.data.problem);
    assert.match(translatedMistake(problem) ?? '', /\p{Script=Cyrillic}/u, `${sql}: ${problem}`);
  }
});

test('the Russian of a mistake has all its values', () => {
  const placesOf = (text: string): string[] => [...text.matchAll(notePlaceholder)].map(([, , name]) => name!);
  for (const [template, russian] of Object.entries(mistakes)) {
    assert.deepEqual(placesOf(russian).sort(), placesOf(template).sort(), template);
    assert.match(russian, /\p{Script=Cyrillic}/u, template);
  }
});

for (const [text, russian] of [
  [
    'unknown property marker-widht; did you mean marker-width?',
    'неизвестное свойство marker-widht; может быть, marker-width?',
  ],
  ['the number 5 is no value of marker-fill', 'число 5 не подходит для marker-fill'],
  ["unexpected 'x'; is a ; missing before it?", "неожиданно: 'x'; может быть, перед этим нет ;?"],
  ['line-width belongs into Map { }', 'line-width пишут в Map { }'],
  ['column t.nmae does not exist', 'столбца t.nmae нет'],
  ['UNION types text and integer cannot be matched', 'UNION: типы text и integer не согласуются'],
  ['what nobody has translated', undefined],
] as const)
  test(`in Russian: ${text}`, () => assert.equal(translatedMistake(text), russian));
