import assert from 'node:assert/strict';
import test from 'node:test';
import { addColumns, writeExpression, writeNumber } from './expression.js';
import { parseExpression } from './expression-parse.js';

function rewrite(text: string): string {
  const parsed = parseExpression(text);
  if ('fault' in parsed) return `${parsed.fault.at}: ${parsed.fault.message}`;
  return writeExpression(parsed.expression);
}

test('expressions are written as they are meant', () => {
  const rows: [text: string, written: string][] = [
    ['[a]+1', '[a]+1'],
    ['[a] * ([b] + 2) * 3', '[a]*([b]+2)*3'],
    ['[a]-([b]-[c])', '[a]-([b]-[c])'],
    ['([a]-[b])-[c]', '[a]-[b]-[c]'],
    ['-[a] * -2', '-[a]*-2'],
    ['-(-[a])', '-(-[a])'],
    ['2.0 * 5', '2.0*5'],
    ['\'it\\\'s\' + "x\\"y"', "'it\\'s'+'x\"y'"],
    ["[имя] + ' ' + [a b]", "[имя]+' '+[a b]"],
    ['not [a] = 1 and [b] > 2', 'not ([a] = 1) and [b] > 2'],
    ['[a] = 1 or [b] = 2 and [c] = 3', '([a] = 1 or [b] = 2) and [c] = 3'],
    ['[a] = 1 or ([b] = 2 and [c] = 3)', '[a] = 1 or ([b] = 2 and [c] = 3)'],
    ['[a] && ![b] || [c] <> 1', '([a] and not ([b])) or [c] != 1'],
    ['[a] eq 1 and [b] neq 2', '[a] = 1 and [b] != 2'],
    ["[a].match('x\\d+')", "[a].match('x\\\\d+')"],
    ["([a] + 'x').replace('a', 'b')", "([a]+'x').replace('a','b')"],
    ["[a].replace('a','b').replace('c','d') + 'e'", "([a].replace('a','b')).replace('c','d')+'e'"],
    ['pow([a], .5) + sqrt([b])', 'pow([a],0.5)+pow([b],0.5)'],
    ['min([a], max([b], 3))', 'min([a],max([b],3))'],
    ["'two\\nlines'", "'two\\nlines'"],
    ['true', 'true'],
    ['word', "'word'"],
  ];
  for (const [text, written] of rows) {
    assert.equal(rewrite(text), written, text);
    assert.equal(rewrite(written), written, 'written again');
  }
});

test('mistakes are reported with their place', () => {
  assert.equal(rewrite('[a] +'), '5: the expression is not complete');
  assert.equal(rewrite('[a] [b]'), "4: unexpected '[' in the expression");
  assert.equal(rewrite('foo([a])'), '0: unknown function foo()');
  assert.equal(rewrite('min([a])'), '0: min() takes 2 arguments, not 1');
  assert.equal(rewrite('[a] ? 1 : 2'), "4: unexpected '?' in the expression");
  assert.equal(rewrite('@x'), "0: unexpected '@' in the expression");
  assert.equal(rewrite("'open"), `0: unexpected "'" in the expression`);
  assert.equal(rewrite(''), '0: the expression is not complete');
});

test('the columns of an expression', () => {
  const parsed = parseExpression("[a] + min([b], [a]) + [c].replace('x', '[d]') + [mapnik::geometry_type]");
  assert.ok('expression' in parsed);
  const columns = new Set<string>();
  addColumns(parsed.expression, columns);
  assert.deepEqual([...columns], ['a', 'b', 'c']);
});

test('numbers are written without exponents', () => {
  assert.deepEqual(
    [1, -0, 0.1 + 0.2, 1e-7, 1e15, 12.5, 1 / 3].map((n) => writeNumber(n)),
    ['1', '0', '0.3', '0.0000001', '1000000000000000', '12.5', '0.333333333333'],
  );
});
