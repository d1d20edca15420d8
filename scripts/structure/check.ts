import { posix } from 'node:path';
import { components } from './components.js';
import { repeatedNames, undocumented, unusedValues } from './exported-names.js';
import { longFunctions } from './long-functions.js';
import { confined, domains, doorFolders, maxFilesPerFolder, rooms } from './rooms.js';
import { isTest, roomOf, type StructureProblem, type Workspace } from './workspace.js';

interface Import {
  /** The text of the import. */
  specifier: string;
  /** The file of this workspace; undefined for a package. */
  target: string | undefined;
  /** Only types are imported. */
  isType: boolean;
}

const isCode = (file: string): boolean => /\.tsx?$/.test(file) && !file.endsWith('.d.ts');

const shortName = (room: string): string => room.replace(/^.*\//, '');

/** Statements at the start of a line, `import()` and `require`-like calls with a text: types and side effects included. */
const importPattern =
  /^(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)|\b(?:require|createRequire\([^)]*\))\(\s*'([^']+)'/gm;

/** All imports of a file. */
export function importsOf(file: string, text: string, workspace: Workspace): Import[] {
  return [...text.matchAll(importPattern)].flatMap((match) => {
    const specifier = match.slice(1).find((part) => part !== undefined)!;
    // Data files, and names that only the page builder resolves.
    if (/\.json(\?|$)|^[a-z]+:(?!\/\/)/.test(specifier) && !specifier.startsWith('node:')) return [];
    const target = specifier.startsWith('.') ? resolve(file, specifier, workspace) : undefined;
    return { specifier, target, isType: /^(import|export) type\b/.test(match[0]) };
  });
}

function resolve(file: string, specifier: string, workspace: Workspace): string {
  const path = posix.join(posix.dirname(file), specifier);
  const candidates = [
    path.replace(/\.js$/, '.ts'),
    path.replace(/\.js$/, '.tsx'),
    `${path}.ts`,
    `${path}.tsx`,
  ];
  return candidates.find((candidate) => workspace.has(candidate)) ?? path;
}

/** All rules over the whole workspace. */
export function checkStructure(workspace: Workspace): StructureProblem[] {
  const files = [...workspace].filter(([file]) => isCode(file) && roomOf(file) !== undefined);
  const imports = new Map(files.map(([file, text]) => [file, importsOf(file, text, workspace)]));
  return [
    ...[...imports].flatMap(([file, list]) => list.flatMap((one) => importProblems(file, one, workspace))),
    ...files.flatMap(([file, text]) => confinedLoads(file, text)),
    ...files.flatMap(([file, text]) => missingPrograms(file, text, workspace)),
    ...cycles(imports),
    ...crowded(files.map(([file]) => file)),
    ...files.flatMap(([file, text]) => longFunctions(file, text)),
    ...repeatedNames(files),
    ...unusedValues(files),
    ...undocumented(new Map(files)),
  ];
}

function importProblems(file: string, one: Import, workspace: Workspace): StructureProblem[] {
  const own = roomOf(file)!;
  const problem = (rule: StructureProblem['rule'], message: string): StructureProblem[] => [
    { rule, file, message },
  ];
  if (one.target !== undefined) {
    const other = roomOf(one.target);
    if (other !== own)
      return problem('door', `imports ${one.specifier}, which lies in another room: use its door`);
    return domainProblem(file, one.target);
  }
  const inner = /^@cartulary\/([^/]+)(\/.*)?$/.exec(one.specifier);
  if (inner) return isTest(file) ? [] : roomProblem(file, inner[1]!, inner[2] ?? '');
  return [...confinedProblem(file, one), ...dependencyProblem(file, one, workspace)];
}

function roomProblem(file: string, name: string, door: string): StructureProblem[] {
  const own = roomOf(file)!;
  if (name !== 'errors' && !rooms[own]!.includes(name))
    return [{ rule: 'arrow', file, message: `${shortName(own)} must not know ${name}` }];
  if (door.startsWith('/internal/'))
    return [{ rule: 'door', file, message: `only tests look inside of ${name}` }];
  return [];
}

/** The row of a file of the server; undefined for other rooms. */
function rowOf(file: string): number | undefined {
  const [, folder] = /^apps\/server\/src\/([^/]+)/.exec(file) ?? [];
  if (folder === undefined) return undefined;
  return domains.findIndex((row) => row.includes(folder));
}

function domainProblem(file: string, target: string): StructureProblem[] {
  if (isTest(file)) return [];
  const [from, to] = [rowOf(file), rowOf(target)];
  if (from === undefined || to === undefined) return [];
  const [ownFolder, otherFolder] = [file, target].map((path) => path.split('/')[3]);
  if (ownFolder === otherFolder) return sidewaysProblem(file, target);
  if (from >= 0 && to > from) return [];
  const message =
    from < 0
      ? `${ownFolder} has no row in the list of domains`
      : `${ownFolder} must not import ${otherFolder}: imports go down only`;
  return [{ rule: 'domain', file, message }];
}

/** Doors of one domain know nothing of each other. */
function sidewaysProblem(file: string, target: string): StructureProblem[] {
  const doorOf = (path: string): string | undefined => /^(?:[^/]+\/){4}([^/]+)\//.exec(path)?.[1];
  const [own, other] = [doorOf(file), doorOf(target)];
  const isInside = own === undefined || other === undefined || own === other || other === 'common';
  if (isInside || !doorFolders.includes(file.split('/')[3]!)) return [];
  return [
    { rule: 'domain', file, message: `${own} must not import ${other}: what they share belongs to common` },
  ];
}

/** Programs of threads and processes are named by addresses, which the compiler does not check. */
function missingPrograms(file: string, text: string, workspace: Workspace): StructureProblem[] {
  return [...text.matchAll(/new URL\('(\.{1,2}\/[^']+\.js)', import\.meta\.url\)/g)]
    .map(([, address]) => address!)
    .filter((address) => !address.includes('/dist/') && !workspace.has(resolve(file, address, workspace)))
    .map((address) => ({ rule: 'program', file, message: `names ${address}, which is not there` }));
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Whether a file of the service may not load a package. */
const isConfined = (file: string, name: string): boolean =>
  confined[name] !== undefined &&
  !confined[name].test(file) &&
  !isTest(file) &&
  /^(apps|packages)\//.test(file);

function confinedProblem(file: string, { specifier, isType }: Import): StructureProblem[] {
  const name = packageOf(specifier);
  if (isType || !isConfined(file, name)) return [];
  return [{ rule: 'confined', file, message: `${name} is not loaded here: ${confined[name]}` }];
}

/** Calls with the name of a confined package: a loader may have any name, such as a variable that holds `createRequire(…)`. */
function confinedLoads(file: string, text: string): StructureProblem[] {
  const known = new Set(importsOf(file, text, new Map()).map(({ specifier }) => packageOf(specifier)));
  return Object.keys(confined)
    .filter((name) => isConfined(file, name) && !known.has(name))
    .filter((name) => new RegExp(`[\\w)\\]]\\(\\s*['"\`]${name}(/[^'"\`]*)?['"\`]`).test(text))
    .map((name) => ({ rule: 'confined', file, message: `${name} is not loaded here: ${confined[name]}` }));
}

function dependencyProblem(
  file: string,
  { specifier, isType }: Import,
  workspace: Workspace,
): StructureProblem[] {
  if (specifier.startsWith('node:') || specifier.startsWith('${')) return [];
  const room = roomOf(file)!;
  const manifest = JSON.parse(workspace.get(`${room}/package.json`) ?? '{}') as Manifest;
  const name = packageOf(specifier);
  const types = `@types/${name.replace(/^@/, '').replace('/', '__')}`;
  // What runs in an installation without development packages must not load them.
  const isServed = /^(packages|apps\/server)\//.test(file) && !isTest(file) && !isType;
  const listed = {
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...(isServed ? {} : manifest.devDependencies),
  };
  if (Object.hasOwn(listed, name) || Object.hasOwn(listed, types)) return [];
  return [{ rule: 'dependency', file, message: `${room}/package.json does not list ${name}` }];
}

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Files that import each other, types included. */
function cycles(imports: ReadonlyMap<string, readonly Import[]>): StructureProblem[] {
  const graph = new Map(
    [...imports].map(([file, list]) => [file, list.flatMap(({ target }) => (target && imports.has(target) ? [target] : []))]),
  ); // biome-ignore format: one expression
  return components(graph)
    .filter((files) => files.length > 1)
    .map((files) => ({
      rule: 'cycle',
      file: files[0]!,
      message: `is in a cycle: ${files.sort().join(' ')}`,
    }));
}

function crowded(files: readonly string[]): StructureProblem[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > maxFilesPerFolder)
    .map(([folder, count]) => ({
      rule: 'crowded',
      file: folder,
      message: `holds ${count} files, more than ${maxFilesPerFolder}: a room is missing`,
    }));
}
