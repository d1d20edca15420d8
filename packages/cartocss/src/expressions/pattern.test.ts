import assert from 'node:assert/strict';
import test from 'node:test';
import { checkPattern } from './pattern.js';

test('patterns that are matched quickly are accepted', () => {
  for (const pattern of [
    '',
    'abc',
    '.*road.*',
    '(north|south) .*',
    '[a-zA-Z_]+\\d{2,4}',
    '\\w+\\s\\w+',
    '^A\\.B$',
    '(?i)main',
    '(?:a|b)?c',
    '[^\\]]+',
    'а[б-я]*',
    '\\p{L}+',
    '([\\S\\ ]+)Hill',
    'a\\ b',
    'a|b|c',
    '(a(b(c)))',
    '(ab){3}',
    'x{2}',
  ]) {
    assert.equal(checkPattern(pattern), undefined, pattern);
  }
});

test('patterns that are wrong or can be slow are refused', () => {
  for (const pattern of [
    '(a+)+',
    '(a|b)*',
    '(a*)*',
    '(a{2,3})+',
    '((a)+b)*',
    '.*.*.*.*',
    'a{0,1000}',
    'a{5,2}',
    'a**',
    'a+*',
    '*a',
    '(',
    ')',
    'a)',
    '[',
    '[z-a]',
    '[]',
    '[[:alpha:]]',
    '(?=a)',
    '(?<=a)',
    '(?!a)',
    '(?<n>a)',
    '(?R)',
    '\\1',
    '\\k<a>',
    '\\',
    'a\\',
    '{',
    '}',
    ']',
    'x\n',
    'a'.repeat(201),
    '(((((((((((a)))))))))))',
    'a?a?a?a?a?a?a?a?a?a',
    'x{0,90}x{0,90}x{0,90}x{0,90}',
  ]) {
    assert.notEqual(checkPattern(pattern), undefined, pattern);
  }
});
