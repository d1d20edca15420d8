import ts from 'typescript';
import { maxLinesPerFunction } from './rooms.js';
import type { StructureProblem } from './workspace.js';

/** Functions with more lines than `maxLinesPerFunction`: also those of tests, and components of pages. */
export function longFunctions(file: string, text: string): StructureProblem[] {
  if (text.split('\n', maxLinesPerFunction + 1).length <= maxLinesPerFunction) return [];
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, kind);
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const problems: StructureProblem[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const first = lineAt(node.getStart(source));
      const lines = lineAt(node.end) - first + 1;
      if (lines > maxLinesPerFunction)
        problems.push({
          rule: 'long',
          file,
          message: `line ${first}: a function of ${lines} lines, more than ${maxLinesPerFunction}: it does two things`,
        });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}
