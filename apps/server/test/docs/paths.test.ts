import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';

const files = ['apps', 'packages', 'docs'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
);
const readmes = files.filter((file) => /^(?!.*\/node_modules\/)(apps|packages)\/.*README\.md$/.test(file));
const decisions = files.filter((file) => /^docs\/decisions\/.*\.md$/.test(file));
const pages = [
  'docs/architecture.md',
  'docs/caches.md',
  'docs/changes.md',
  'docs/fast-paths.md',
  'docs/plugins.md',
  'CONTRIBUTING.md',
];
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');

/** Words in backquotes that look like a file or folder of the repository, not like addresses and packages. */
function pathsOf(text: string): string[] {
  const words = [...text.matchAll(/`([^`\s]+)`/g)].map(([, word]) => word!);
  return words.filter(
    (word) => /^[\w.*-]+(\/[\w.*-]+)*\/?$/.test(word) && /\/|\.(ts|tsx|md|json|sql|sh|css|html)$/.test(word),
  );
}

/** Of a decision only paths from the root of the repository: others may be parts of addresses. */
const isMeant = (page: string, path: string): boolean =>
  !decisions.includes(page) || /^(apps|packages|scripts|bench|soak|conformance)\//.test(path);

/** The folders that paths of a page may begin at: a README's own and its room's, the server's, the repository. */
function basesOf(page: string): string[] {
  const bases = ['.', 'apps/server', 'apps/server/src', 'apps/server/test'];
  for (let folder = dirname(page); folder !== '.'; folder = dirname(folder))
    bases.push(folder, join(folder, 'src'));
  return bases;
}

/** Whether a file or folder with this path exists. `*` matches any part of a name. */
function exists(path: string): boolean {
  if (!path.includes('*')) return existsSync(path);
  const [before, after] = path.split('*') as [string, string];
  return files.some(
    (file) =>
      file.startsWith(before) &&
      file.endsWith(after) &&
      !file.slice(before.length, file.length - after.length).includes('/'),
  );
}

/** The paths of a page that do not exist. A path may also start at the folder of a preceding path in its line. */
function missingPaths(page: string, text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const bases = basesOf(page);
    return pathsOf(line).filter((path) => {
      const found = bases.map((base) => join(base, path)).find(exists);
      if (found === undefined) return isMeant(page, path);
      bases.push(found, dirname(found), join(found, 'src'));
      return false;
    });
  });
}

test('every path that the pages about the code and the READMEs of rooms name exists', () => {
  assert.ok(readmes.length > 30, 'the rooms have READMEs');
  const missing = [...pages, ...decisions, ...readmes].flatMap((page) =>
    missingPaths(page, readFileSync(page, 'utf8')).map((path) => `${page}: ${path}`),
  );
  assert.deepEqual(missing, []);
});

test('a path that leads nowhere is found, an address is not taken for one', () => {
  const text = '`tiles/nothing.ts` `http/nothing-*.ts` `gone.ts` `src/tiles/routes.ts` `/tms/a/b/` `app.ts`';
  assert.deepEqual(missingPaths('docs/changes.md', text), [
    'tiles/nothing.ts',
    'http/nothing-*.ts',
    'gone.ts',
  ]);
});

test('pages and decisions that the code names exist', () => {
  const code = ['apps', 'packages', 'bench', 'soak', 'conformance', 'scripts']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/(^|\/)(node_modules|dist)\/|docs\/paths\.test/.test(file));
  assert.ok(code.length > 500, 'the code is read');
  const missing = code.flatMap((file) =>
    missingPages(readFileSync(file, 'utf8')).map((page) => `${file}: ${page}`),
  );
  assert.deepEqual(missing, []);
  assert.deepEqual(
    missingPages('see docs/nothing.md and decision 999, or docs/architecture.md and decision 16'),
    ['docs/nothing.md', 'decision 999'],
  );
});

/** The pages of `docs` and the decisions that a text names and that do not exist. */
const missingPages = (text: string): string[] => [
  ...[...text.matchAll(/\bdocs\/(?:decisions\/[\w-]+|[\w/-]+\.md)/g)]
    .map(([page]) => page)
    .filter((page) => !exists(page) && !exists(`${page}.md`)),
  ...[...text.matchAll(/\b[Dd]ecision (\d+)/g)]
    .filter(([, number]) => !decisions.some((file) => file.includes(`/${number!.padStart(4, '0')}-`)))
    .map(([decision]) => decision),
];

test('links between the pages about the code lead to pages', () => {
  const broken = [
    ...pages,
    ...decisions,
    ...readmes,
    'README.md',
    'CHANGELOG.md',
    'docs/benchmarks.md',
  ].flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
      .map(([, target]) => join(dirname(page), target!))
      .filter((target) => !existsSync(target)),
  );
  assert.deepEqual(broken, []);
});

test('pages that are read first are short', () => {
  for (const readme of readmes) assert.ok(linesOf(readme).length <= 30, readme);
  assert.ok(linesOf('docs/architecture.md').length <= 150);
  assert.ok(linesOf('CHANGELOG.md').length <= 60);
  for (const decision of decisions) assert.ok(linesOf(decision).length <= 60, decision);
  const cells = linesOf('docs/architecture.md').flatMap((line) =>
    line.startsWith('|') ? line.split('|') : [],
  );
  assert.deepEqual(
    cells.filter((cell) => cell.trim().length > 200),
    [],
  );
});
