/** What is written at a place of a style. */
export type Place =
  | { kind: 'property' }
  | { kind: 'value'; property: string }
  /** The key of a filter. */
  | { kind: 'key' }
  /** The other side of a filter. */
  | { kind: 'operand'; column: string }
  /** Between brackets of a value. */
  | { kind: 'column' }
  /** Outside of all blocks. */
  | { kind: 'selector' }
  | { kind: 'nothing' };

const pieces =
  /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n\r]*|"(?:\\.|[^"\\\n\r])*"?|'(?:\\.|[^'\\\n\r])*'?|[{};]|[^{};"'/]+|\//g;
const value = /^\s*(?:@[\w-]+|(?:[\w-]+\/)?([\w-]+))\s*:(?!:)([\s\S]*)$/;
const filter = /\[\s*(?:([^[\]<>=!]*?|"[^"]*"|'[^']*')\s*(?:=~|!=|<=|>=|=|<|>)\s*)?[^[\]]*$/;

/** What is written at the end of this text, the part of a style before the cursor. */
export function placeAfter(text: string): Place {
  let depth = 0;
  let statement = '';
  let isText = false;
  for (const [piece] of text.matchAll(pieces)) {
    isText = piece.startsWith('/*') || piece.startsWith('//');
    if (isText) continue;
    if (piece === '{') depth++;
    if (piece === '}') depth--;
    statement = /^[{};]$/.test(piece) ? '' : statement + piece;
  }
  if (isText && !/\n$|\*\/$/.test(text)) return { kind: 'nothing' };
  const assigned = value.exec(statement);
  if (assigned) {
    const [, property = '', rest = ''] = assigned;
    return /\[[^\]]*$/.test(rest) ? { kind: 'column' } : { kind: 'value', property };
  }
  const compared = filter.exec(statement);
  if (compared) {
    const column = compared[1]?.replace(/^["']|["']$/g, '').trim();
    return column === undefined ? { kind: 'key' } : { kind: 'operand', column };
  }
  return { kind: depth > 0 ? 'property' : 'selector' };
}
