import assert from 'node:assert/strict';
import test from 'node:test';
import { ServiceError } from '@cartulary/errors/internal/errors.js';
import { checkLayerStyle, readStyle } from '../src/check.js';
import { compileLayerStyle } from '../src/compile.js';
import { layer, options } from './support.js';

/** Style → line, column and message of each of its problems. */
const rows: [style: string, problems: [line: number, column: number, message: string][]][] = [
  ['#x { polygon-fil: red; }', [[1, 6, 'unknown property polygon-fil; did you mean polygon-fill?']]],
  ['#x { polygon-fill: redd; }', [[1, 20, "'redd' is no value of polygon-fill; did you mean red?"]]],
  ['#x { line-width: red }', [[1, 18, 'the colour red is no value of line-width']]],
  ['#x { line-width: 5', [[1, 4, 'this block is not closed']]],
  ['#x { line-width: 5; } }', [[1, 23, "unexpected '}': no block is open here"]]],
  ['#x { line-width: 1\n  line-color: red; }', [[1, 19, 'missing ; after the value']]],
  ['#x { line-width 1; }', [[1, 16, "expected ':' after line-width"]]],
  ['#x { line-width: ; }', [[1, 18, 'a value is missing']]],
  ['#x { line-width: @w; }', [[1, 18, 'the variable @w is not defined']]],
  [
    '@width: 2;\n#x { line-width: @widht; }',
    [[2, 18, 'the variable @widht is not defined; did you mean @width?']],
  ],
  ['@a: @b;\n@b: @a;\n#x { line-width: @a }', [[1, 1, 'the variable @a is defined by itself']]],
  ['#x { line-cap: rund }', [[1, 16, "'rund' is no value of line-cap; did you mean round?"]]],
  ['#x { line-width: 5000 }', [[1, 18, 'line-width must be from 0 to 1000, not 5000']]],
  ['#x { line-width: 5em }', [[1, 18, "unknown unit 'em'"]]],
  ['#x { polygon-fill: ramp([pop], (red, blue), jenks) }', [[1, 36, "unexpected ',' in parentheses"]]],
  [
    '#x { raster-colorizer-stops: stop(5, red) stop(2, blue) }',
    [[1, 30, 'the stops of raster-colorizer-stops do not ascend: 2 after 5']],
  ],
  ['&::b { line-width: 1 }', [[1, 1, '& names the block around it, and there is none']]],
  ['#x { #x & { line-width: 1 } }', [[1, 9, "unexpected '&' after a selector"]]],
  ['#x { polygon-fill: #ggg }', [[1, 20, "'#ggg' is not a colour"]]],
  ['#x { polygon-fill: #12345 }', [[1, 20, "'#12345' is not a colour"]]],
  ['#x { polygon-fill: lighten(red) }', [[1, 20, 'lighten() takes 2 arguments, not 1']]],
  [
    '#x { polygon-fill: lighten(5, 10%) }',
    [[1, 20, 'lighten(): argument 1 must be a colour, not the number 5']],
  ],
  ['#x { polygon-fill: lihgten(red, 10%) }', [[1, 20, 'unknown function lihgten(); did you mean lighten?']]],
  ['#x { text-size: 12 }', [[1, 6, 'text-size needs text-name where it applies']]],
  ['#x { text-name: name }', [[1, 17, "'name' is no value of text-name"]]],
  ['#x { text-name: "name" }', [[1, 17, "'name' is a column and needs brackets"]]],
  ['#x { text-name: [nam] }', [[1, 17, "the layer has no column 'nam'; did you mean name?"]]],
  ['#x { text-name: "[name] + [popp]" }', [[1, 27, "the layer has no column 'popp'; did you mean pop?"]]],
  [
    "#x { text-name: [name]; text-face-name: 'DejaVu Sans Bok' }",
    [[1, 41, "unknown font 'DejaVu Sans Bok'"]],
  ],
  ["#x { text-name: [name]; text-face-name: 'Arial' }", [[1, 41, "unknown font 'Arial'"]]],
  ['#x { marker-file: url(stars) }', [[1, 19, "unknown icon 'stars'"]]],
  [
    '#x { polygon-pattern-opacity: .5 }',
    [[1, 6, 'polygon-pattern-opacity needs polygon-pattern-file where it applies']],
  ],
  ['#x { shield-name: [name] }', [[1, 6, 'shield-name needs shield-file where it applies']]],
  ['#y { line-width: 1 }', [[1, 1, "#y selects no layer: this style belongs to 'x'"]]],
  ['x { line-width: 1 }', [[1, 1, "'x' is not a selector"]]],
  ['.lake { line-width: 1 }', [[1, 1, '.lake selects nothing: the layer has no such class']]],
  ['line-width: 1;', [[1, 1, 'line-width stands outside of a block']]],
  ['#x[pop>] { line-width: 1 }', [[1, 8, "unexpected ']'"]]],
  ['#x[pop=5 { line-width: 1 }', [[1, 10, "unexpected '{' in a filter"]]],
  ["#x[pop='5'] { line-width: 1 }", [[1, 8, "the column 'pop' holds numbers"]]],
  ['#x[type=5] { line-width: 1 }', [[1, 9, "the column 'type' holds texts"]]],
  ['#x[type=road] { line-width: 1 }', [[1, 9, 'the word road is neither true, false nor null']]],
  ['#x[type=red] { line-width: 1 }', [[1, 9, 'the colour red cannot be compared']]],
  ['#x[popul=5] { line-width: 1 }', [[1, 4, "the layer has no column 'popul'"]]],
  [
    '#x[a=1][a=2] { line-width: 1 }',
    [[1, 1, 'this selector matches nothing: its filters exclude each other']],
  ],
  [
    '#x[a=1] {\n  [a=2] { line-width: 1 }\n}',
    [[2, 3, 'this selector matches nothing: it excludes what the blocks around it select']],
  ],
  [
    '#x[zoom>5][zoom<3] { line-width: 1 }',
    [[1, 1, 'this selector matches nothing: its filters exclude each other']],
  ],
  ['#x[zoom=99] { line-width: 1 }', [[1, 9, 'there is no zoom level 99']]],
  ["#x[zoom>'a'] { line-width: 1 }", [[1, 9, "the text 'a' is no zoom level"]]],
  ["#x[name=~'('] { line-width: 1 }", [[1, 10, "the pattern is not accepted: a '(' is not closed"]]],
  ['#x[name=~5] { line-width: 1 }', [[1, 10, '=~ cannot compare with the number 5']]],
  ['#x[pop==5] { line-width: 1 }', [[1, 8, "unexpected '='"]]],
  ['#x[flag=5] { line-width: 1 }', [[1, 9, "the column 'flag' holds true and false"]]],
  [
    '#x["mapnik::geometry_type"=circle] { line-width: 1 }',
    [[1, 28, 'a kind of geometry cannot be compared so']],
  ],
  ['#x::a::b { line-width: 1 }', [[1, 6, 'a selector can name one attachment only']]],
  ['#x { line-dasharray: -1, 2 }', [[1, 22, 'line-dasharray must be from 0 to 1000, not -1']]],
  ['#x { marker-transform: turn(5) }', [[1, 24, 'unknown function turn()']]],
  ['#x { marker-transform: rotate(1, 2) }', [[1, 24, 'rotate() takes 1 or 3 arguments, not 2']]],
  ['#x { image-filters: blurr }', [[1, 21, "'blurr' is no value of image-filters; did you mean blur?"]]],
  ["#x { text-name: 'open }", [[1, 17, 'this string is not closed']]],
  [
    '#x { line-width: 1; /* open',
    [
      [1, 4, 'this block is not closed'],
      [1, 21, 'this comment is not closed'],
    ],
  ],
  ['@import "a.mss";\n#x { line-width: 1 }', [[1, 1, '@import is not part of CartoCSS']]],
  ['@media screen { #x { line-width: 1 } }', [[1, 1, '@media is not part of CartoCSS']]],
  [
    '#x { @w: 1; line-width: @w }',
    [
      [1, 6, 'the variable @w is defined in a block'],
      [1, 25, 'the variable @w is not defined'],
    ],
  ],
  ['#x { background-color: red }', [[1, 6, 'background-color belongs into Map { }']]],
  ['Map { line-width: 1 }', [[1, 7, 'Map has no property line-width']]],
  ['Map { background-color: red; #x { line-width: 1 } }', [[1, 30, 'Map { } holds no blocks']]],
  [
    '#x { line-width: 10% + 5 }',
    [[1, 22, 'when only one of two numbers is a percentage, it must be the second']],
  ],
  ['#x { line-width: 1 / 0 }', [[1, 20, 'the result is not a number']]],
  ['#x { line-width: red + 1 }', [[1, 22, 'the colour #ff0101 is no value of line-width']]],
  ['#x { line-width: "a" - "b" }', [[1, 22, 'texts can only be joined with +, not with -']]],
  ['#x { line-width: sqrt([pop], 2) }', [[1, 18, 'sqrt() takes 1 argument, not 2']]],
  ['#x { line-width: "sqroot([pop])" }', [[1, 19, 'unknown function sqroot(); did you mean sqrt?']]],
  ['#x { line-width: "[pop] *" }', [[1, 26, 'the expression is not complete']]],
  [
    '#x { line-width: [pop }',
    [
      [1, 4, 'this block is not closed'],
      [1, 18, 'this name of a column is not closed'],
    ],
  ],
  ['#x { line-width: (1 + 2 }', [[1, 18, 'this parenthesis is not closed']]],
  ['#x { line-width: 1,, 2 }', [[1, 20, "unexpected ','"]]],
  ['#x { line-color: red blue }', [[1, 18, 'line-color takes one value, not several']]],
  ['#x { line-width: 5, 3 }', [[1, 18, 'line-width takes one value, not several']]],
  [
    '#x { text-name: "\'open }\n#x { line-widht: 1 }',
    [
      [1, 17, 'this string is not closed'],
      [1, 18, 'unexpected "\'" in the expression'],
      [2, 6, 'unknown property line-widht; did you mean line-width?'],
    ],
  ],
  [
    '#x { line-width: 5 }}\n}\n#x { a: 1 }',
    [
      [1, 21, "unexpected '}': no block is open here"],
      [2, 1, "unexpected '}': no block is open here"],
      [3, 6, 'unknown property a'],
    ],
  ],
  ['#x { text-name: [name]; text-placements: "Q" }', [[1, 42, "'Q' is no value of text-placements"]]],
  [
    '#x { text-name: [name]; text-halo-radius: 30 }',
    [[1, 43, 'text-halo-radius must be from 0 to 20, not 30']],
  ],
  ['.point { marker-width: [popp] * 2 }', [[1, 24, "the layer has no column 'popp'; did you mean pop?"]]],
  ['#x { line-width: 1 } #x::{ line-width: 2 }', [[1, 24, 'an attachment needs a name']]],
  ['#x { : 5 }', [[1, 6, "unexpected ':'"]]],
  ['#x { line-width: 5 ! important }', [[1, 20, "unexpected '!'"]]],
  ['#x { line-width: url(star) }', [[1, 18, 'url(star) is no value of line-width']]],
  ['#x,, #x { line-width: 1 }', [[1, 4, "unexpected ','"]]],
  ['#x { line-width: 1 [a=1] { line-width: 2 } }', [[1, 26, "unexpected '{'; is a ; missing before it?"]]],
  [
    '#x { polygon-fil: red; line-widht: 2; }\n#y { line-width: "a b" }',
    [
      [1, 6, 'unknown property polygon-fil; did you mean polygon-fill?'],
      [1, 24, 'unknown property line-widht; did you mean line-width?'],
      [2, 1, "#y selects no layer: this style belongs to 'x'"],
      [2, 21, "unexpected 'b' in the expression"],
    ],
  ],
  [
    '#x {\r\n  line-widht: 1;\r\n  line-colour: red;\r\n}',
    [
      [2, 3, 'unknown property line-widht; did you mean line-width?'],
      [3, 3, 'unknown property line-colour; did you mean line-color?'],
    ],
  ],
  ['/* ж */ #x { polygon-fil: red }', [[1, 14, 'unknown property polygon-fil; did you mean polygon-fill?']]],
];

test('every mistake is reported at its place', () => {
  for (const [style, problems] of rows) {
    const found = checkLayerStyle(style, layer, options).map(({ line, column, message }) => [
      line,
      column,
      message,
    ]);
    assert.deepEqual(found, problems, style);
  }
});

test('problems name the expected input', () => {
  const expected = (style: string): string | undefined => checkLayerStyle(style, layer, options)[0]?.expected;
  assert.equal(expected('#x { line-cap: rund }'), 'butt, round, square');
  assert.equal(expected('#x { line-width: 5000 }'), 'a number from 0 to 1000');
  assert.equal(expected('#x { polygon-fil: red }'), 'polygon-fill');
  assert.equal(expected('#x { text-name: name }'), '[name]');
  assert.equal(expected("#x[pop='5'] { line-width: 1 }"), '5');
  assert.equal(expected('#y { line-width: 1 }'), '#x or #layer');
});

test('the style of a map contains Map{} and variables', () => {
  const messages = (style: string): string[] =>
    readStyle(style, undefined).problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  assert.deepEqual(messages('@c: red; Map { background-color: @c; buffer-size: 128 }'), []);
  assert.deepEqual(messages('#x { line-width: 1 }'), [
    '1:1 the style of a map holds Map { } and variables only',
  ]);
  assert.deepEqual(messages('Map { background-color: redd }'), [
    "1:25 'redd' is no value of background-color; did you mean red?",
  ]);
  assert.deepEqual(messages('Map[zoom>3] { buffer-size: 5 }'), [
    '1:1 Map stands alone: outside of blocks, without other selectors and filters',
  ]);
});

test('compiling throws the first problem and carries all', () => {
  assert.throws(
    () => compileLayerStyle('#x {\n  line-widht: 1;\n  line-cap: 5;\n}', layer, options),
    (error) => {
      assert.ok(error instanceof ServiceError);
      assert.equal(error.code, 'style_invalid');
      assert.equal(
        error.message,
        'The style is not valid: line 2, column 3: unknown property line-widht; did you mean line-width?',
      );
      assert.deepEqual(
        (error.data.problems as { line: number }[]).map((problem) => problem.line),
        [2, 3],
      );
      return true;
    },
  );
});

test('at most fifty problems are reported', () => {
  assert.equal(checkLayerStyle(`#x { ${'line-widht: 1; '.repeat(500)} }`, layer, options).length, 50);
});
