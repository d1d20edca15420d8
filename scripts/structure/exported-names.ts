import { isTest, roomOf, type StructureProblem } from './workspace.js';

const exportPattern =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum)\s+(\w+)/gm;

/** Exports whose preceding line ends no comment. */
const undocumentedPattern =
  /(?<!\*\/\n)^export (?:abstract )?(?:async )?(?:const|function\*?|class)\s+(\w+)/gm;

/** Names that two files of the sources export, each for a thing of its own. */
export function repeatedNames(files: readonly (readonly [string, string])[]): StructureProblem[] {
  const places = new Map<string, string[]>();
  for (const [file, text] of files) {
    if (isTest(file) || !/^(apps|packages)\/[^/]+\/src\//.test(file) || file.startsWith('apps/web/'))
      continue;
    for (const name of new Set([...text.matchAll(exportPattern)].map((match) => match[1]!)))
      places.set(name, [...(places.get(name) ?? []), file]);
  }
  return [...places]
    .filter(([, where]) => where.length > 1)
    .map(([name, where]) => ({
      rule: 'name',
      file: where[0]!,
      message: `exports ${name}, and so does ${where.slice(1).join(', ')}`,
    }));
}

const exportedValuePattern = /^export (?:abstract )?(?:async )?(?:const|let|function\*?|class)\s+(\w+)/gm;

/** Values that a file of the sources exports and no other file names. */
export function unusedValues(files: readonly (readonly [string, string])[]): StructureProblem[] {
  const namedIn = new Map<string, number>();
  for (const [, text] of files)
    for (const name of new Set(text.match(/\w+/g))) namedIn.set(name, (namedIn.get(name) ?? 0) + 1);
  return files
    .filter(([file]) => !isTest(file) && /^(apps|packages)\/[^/]+\/src\//.test(file))
    .flatMap(([file, text]) =>
      [...text.matchAll(exportedValuePattern)]
        .filter(([, name]) => namedIn.get(name!) === 1)
        .map(([, name]) => ({
          rule: 'unused' as const,
          file,
          message: `exports ${name}, which no other file uses`,
        })),
    );
}

/** Functions, classes and values that the door of a package exports and that no comment describes. Types describe themselves. */
export function undocumented(files: ReadonlyMap<string, string>): StructureProblem[] {
  const names = new Map<string, Set<string>>();
  for (const [file, text] of files) {
    const [room] = /^packages\/[^/]+(?=\/src\/index\.ts$)/.exec(file) ?? [];
    if (room) names.set(room, new Set(text.match(/\w+/g)));
  }
  return [...files]
    .filter(([file]) => !isTest(file))
    .flatMap(([file, text]) =>
      [...text.matchAll(undocumentedPattern)]
        .map(([, name]) => name!)
        .filter((name) => names.get(roomOf(file)!)?.has(name) && /^packages\/[^/]+\/src\//.test(file))
        .map((name) => ({ rule: 'docstring' as const, file, message: `exports ${name} without a comment` })),
    );
}
