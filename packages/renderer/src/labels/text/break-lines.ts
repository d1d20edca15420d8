import LineBreaker from 'linebreak';

/** Where a line is broken. */
export interface LineWidth {
  /** In the unit of the advances; 0: the line is not broken. */
  wrapWidth: number;
  /** Whether it is broken before the word that exceeds the width, not after it. */
  wrapBefore: boolean;
}

/**
 * The lines into which a line of a `width` is broken, as Mapnik does it: after the word that exceeds the width, at the places
 * of UAX 14. A word that is wider stays whole. `advances`: of each character.
 */
export function breakLine(
  line: string,
  { width, advances }: { width: number; advances: ArrayLike<number> },
  { wrapWidth, wrapBefore }: LineWidth,
): string[] {
  if (wrapWidth <= 0 || width < wrapWidth) return [line];
  const ends = endsOf(line);
  const lines: string[] = [];
  let [start, length] = [0, 0];
  for (let i = 0; i < line.length; i++) {
    length += advances[i]!;
    if (length <= wrapWidth) continue;
    const after = ends.find((one) => one > i) ?? line.length;
    const before = wrapBefore ? (ends.findLast((one) => one <= i) ?? 0) : 0;
    const end = before > start ? before : after;
    lines.push(line.slice(start, line[end - 1] === ' ' ? end - 1 : end));
    [start, length, i] = [end, 0, end - 1];
  }
  if (start < line.length) lines.push(line.slice(start));
  return lines;
}

/** The places where lines may end, the end of the text included. */
function endsOf(line: string): number[] {
  const breaker = new LineBreaker(line);
  const ends: number[] = [];
  for (let end = breaker.nextBreak(); end; end = breaker.nextBreak()) ends.push(end.position);
  return ends;
}
