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
