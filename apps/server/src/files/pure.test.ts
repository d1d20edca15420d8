import assert from 'node:assert/strict';
import test from 'node:test';
import { cleanName, contentDisposition } from '@cartulary/runtime/internal/files/file-names.js';
import { isShown, mediaType } from './mime.js';
import { wantedRange } from './range.js';

test('the media type is that of the content; the name only decides between similar types', () => {
  const cases: [content: string, name: string, mime: string][] = [
    ['\x89PNG\r\n\x1a\n', 'a.html', 'image/png'],
    ['\xff\xd8\xff\xe0', 'a.svg', 'image/jpeg'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'a.png', 'image/webp'],
    ['RIFF\0\0\0\0', 'a.png', 'application/octet-stream'],
    ['\0\0\0\x20ftypavif', '', 'image/avif'],
    ['\0\0\0\x20ftypisom', 'a.png', 'video/mp4'],
    ['%PDF-1.7', 'a.html', 'application/pdf'],
    ['PK\x03\x04', 'a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['PK\x03\x04', 'a.html', 'application/zip'],
    ['PK\x03\x04', 'a.constructor', 'application/zip'],
    ['BM\x36\0\x0c\0\0\0\0\0\x36\0', 'a.png', 'image/bmp'],
    ['BMW is a car, not a bitmap', 'a.txt', 'text/plain; charset=utf-8'],
    ['BM', 'a.bmp', 'text/plain; charset=utf-8'],
    ['<!DOCTYPE html><p>', 'photo.jpg', 'text/html'],
    [' \n<script>alert(1)</script>', 'a.csv', 'text/html'],
    ['<!-- x --><svg onload="alert(1)">', 'a.png', 'text/html'],
    ['<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'a.png', 'image/svg+xml'],
    ['<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>', 'a.txt', 'image/svg+xml'],
    [
      '<?xml version="1.0"?><x xmlns="y"><html xmlns="http://www.w3.org/1999/xhtml"/></x>',
      'a',
      'application/xhtml+xml',
    ],
    ['<?xml version="1.0"?><x/>', 'a.txt', 'application/xml'],
    ['<b', 'a.html', 'text/plain; charset=utf-8'],
    ['alert(1)', 'a.js', 'text/plain; charset=utf-8'],
    ['* { color: red }', 'a.css', 'text/plain; charset=utf-8'],
    ['a;b\n1;2', 'A.CSV', 'text/csv; charset=utf-8'],
    ['{"a": 1}', 'a.geojson', 'application/geo+json'],
    [Buffer.from('Привет').toString('latin1'), 'a.txt', 'text/plain; charset=utf-8'],
    [Buffer.from('Приве').subarray(0, 9).toString('latin1'), 'a.txt', 'text/plain; charset=utf-8'],
    ['\xcf\xf0\xe8\xe2\xe5\xf2', 'a.txt', 'text/plain'],
    ['\xff\xfea\0b\0', 'a.txt', 'text/plain'],
    ['\xff\xfe<\0h\0t\0m\0l\0>\0', 'a.txt', 'text/html'],
    ['', 'a.html', 'text/plain; charset=utf-8'],
    ['\0\x01\x02', 'a.png', 'application/octet-stream'],
  ];
  for (const [content, name, mime] of cases) {
    assert.equal(mediaType(Buffer.from(content, 'latin1'), name), mime, JSON.stringify([content, name]));
  }
});

test('only types that a browser cannot execute are shown inline', () => {
  for (const mime of ['image/png', 'video/mp4', 'text/plain', 'text/plain; charset=utf-8', 'application/pdf'])
    assert.ok(isShown(mime), mime);
  for (const mime of [
    'text/html',
    'image/svg+xml',
    'application/xml',
    'application/xhtml+xml',
    'application/zip',
    'text/csv',
  ])
    assert.ok(!isShown(mime), mime);
});

test('invalid parts of names are removed', () => {
  const cases: [string, string][] = [
    ['../../x', 'x'],
    ['C:\\photos\\дом.jpg', 'дом.jpg'],
    ['..', '..'],
    ['', 'file'],
    ['a/', 'file'],
    ['a\r\nSet-Cookie: x', 'aSet-Cookie: x'],
    ['\u202egpj.exe', 'gpj.exe'],
    ['e\u0301t\u00e9.txt', '\u00e9t\u00e9.txt'],
    ['\ud800.txt', '\ufffd.txt'],
    [`${'ы'.repeat(300)}.jpeg`, `${'ы'.repeat(250)}.jpeg`],
    ['"><script>alert(1)</script>', 'script>'],
    ['"><script>', '"><script>'],
  ];
  for (const [given, kept] of cases) assert.equal(cleanName(given), kept, JSON.stringify(given));
});

test('a disposition holds any name, and nothing but ASCII', () => {
  assert.equal(contentDisposition('inline', 'a b.png'), 'inline; filename="a b.png"');
  assert.equal(
    contentDisposition('attachment', `дом'(1)*.png`),
    `attachment; filename="___'(1)*.png"; filename*=UTF-8''%D0%B4%D0%BE%D0%BC%27%281%29%2A.png`,
  );
  assert.equal(
    contentDisposition('attachment', 'a"\\%41.txt'),
    `attachment; filename="a___41.txt"; filename*=UTF-8''a%22%5C%2541.txt`,
  );
  assert.match(contentDisposition('inline', '照片💡\r\n.png'), /^[\x20-\x7e]+$/);
});

test('a range is the part that is asked for', () => {
  const cases: [range: string | undefined, wanted: unknown, ifRange?: string][] = [
    [undefined, 'all'],
    ['bytes=0-', { first: 0, last: 9 }],
    ['bytes=2-4', { first: 2, last: 4 }],
    ['bytes=2-99', { first: 2, last: 9 }],
    ['bytes=-3', { first: 7, last: 9 }],
    ['bytes=-99', { first: 0, last: 9 }],
    ['BYTES = 9-9', { first: 9, last: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=4-2', 'all'],
    ['bytes=-', 'all'],
    ['bytes=0-1,4-5', 'all'],
    ['items=0-1', 'all'],
    ['bytes=0x1-2', 'all'],
    ['bytes=2-4', { first: 2, last: 4 }, '"e"'],
    ['bytes=2-4', 'all', '"other"'],
    ['bytes=2-4', 'all', 'W/"e"'],
    ['bytes=2-4', 'all', 'Sat, 21 Nov 2026 07:00:00 GMT'],
  ];
  for (const [range, wanted, ifRange] of cases)
    assert.deepEqual(wantedRange({ range, ifRange }, 10, '"e"'), wanted, range);
  assert.equal(wantedRange({ range: 'bytes=0-' }, 0, '"e"'), 'unsatisfiable');
});
