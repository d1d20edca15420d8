import assert from 'node:assert/strict';
import test from 'node:test';
import { recognize, recognizeHeadBytes } from './recognize.js';

/** The header of a table with one column of numbers. */
function dbfHeader(version: number, recordSize = 11): Buffer {
  const head = Buffer.alloc(65);
  head.writeUInt8(version, 0);
  head.writeUInt16LE(65, 8);
  head.writeUInt16LE(recordSize, 10);
  head.write('ID\0', 32);
  head.write('N', 43);
  head[48] = 10;
  head[64] = 0x0d;
  return head;
}

test('a text that begins like a table of dBase is none', () => {
  for (const text of [
    'Counter,WKT\n1,"POLYGON((3 3,4 3,4 4,3 4,3 3))"',
    'id,str,int32,int64\n1,abc,123456,123456789012345678',
    'Code;Name\n1;Москва\n2;Тверь\n3;Нижний Новгород',
    '00771;IDN 10;20;30;40;50\n00772;IDN 10;20;30;40;50\n00773;IDN 10;20;30;40;50',
  ])
    assert.equal(recognize(Buffer.from(text)), undefined, text);
});

test('a drawing without a header is no table of dBase, although its 33rd byte is a carriage return', () => {
  const line = '0\r\nLINE\r\n8\r\n0\r\n10\r\n1\r\n20\r\n2\r\n11\r\n3\r\n21\r\n4\r\n';
  const drawing = `0\r\nSECTION\r\n2\r\nENTITIES\r\n${line.repeat(1_000)}`;
  assert.equal(drawing[32], '\r');
  assert.equal(recognize(Buffer.from(drawing).subarray(0, recognizeHeadBytes)), 'dxf');
});

test('a table of dBase is recognized by its columns, whatever program wrote its first byte', () => {
  for (const version of [0x03, 0x43, 0x90, 0x00]) assert.equal(recognize(dbfHeader(version)), 'dbf');
  assert.equal(recognize(dbfHeader(0x90, 12)), undefined);
  assert.equal(recognize(dbfHeader(0x03).subarray(0, 64)), undefined);
});

test('a file of OpenDocument is refused with what to do, other archives are zip', () => {
  const zip = (first: string): Buffer => Buffer.from(`PK\x03\x04${'\0'.repeat(26)}${first}`, 'latin1');
  const type = 'application/vnd.oasis.opendocument.spreadsheet';
  assert.throws(() => recognize(zip(`mimetype${type}PK`)), /OpenDocument.* as xlsx or csv/);
  assert.equal(recognize(zip(`doc.kml${type}`)), 'zip');
});
