import assert from 'node:assert/strict';
import test from 'node:test';
import { ServiceError } from '@cartulary/errors/internal/errors.js';
import { parseSrs } from './srs.js';

test('forms of a projection are normalized', () => {
  for (const [input, form] of [
    ['4326', 'EPSG:4326'],
    [' 3857 ', 'EPSG:3857'],
    ['epsg:28407', 'EPSG:28407'],
    ['EPSG::3857', 'EPSG:3857'],
    ['urn:ogc:def:crs:EPSG::3857', 'EPSG:3857'],
    ['urn:ogc:def:crs:EPSG:6.9:3857', 'EPSG:3857'],
    ['urn:ogc:def:crs:OGC:1.3:CRS84', 'EPSG:4326'],
    ['http://www.opengis.net/def/crs/EPSG/0/28407', 'EPSG:28407'],
    ['http://www.opengis.net/def/crs/OGC/1.3/CRS84', 'EPSG:4326'],
    ['900913', 'EPSG:3857'],
    ['102100', 'ESRI:102100'],
    ['ESRI:54009', 'ESRI:54009'],
    ['+proj=longlat +datum=WGS84 +no_defs', '+proj=longlat +datum=WGS84 +no_defs +type=crs'],
    [
      '+proj=merc +a=6378137 +b=6378137 +nadgrids=@null +wktext +type=crs',
      '+proj=merc +a=6378137 +b=6378137 +nadgrids=@null +wktext +type=crs',
    ],
    ['{ "type": "ProjectedCRS", "name": "x" }', '{"type":"ProjectedCRS","name":"x"}'],
    ['GEOGCS["x",DATUM["d"]]', 'GEOGCS["x",DATUM["d"]]'],
    [
      'PROJCS["m",EXTENSION["PROJ4","+proj=merc +nadgrids=@null"]]',
      'PROJCS["m",EXTENSION["PROJ4","+proj=merc +nadgrids=@null"]]',
    ],
  ] as const) {
    assert.equal(parseSrs(input), form, input);
  }
});

test('a text that is not a projection or names a file is refused naming srs', () => {
  for (const input of [
    '',
    'x',
    '-1',
    '4326.5',
    'EPSG:',
    'EPSG:abc',
    '+proj=longlat +nadgrids=/etc/passwd',
    '+proj=longlat +nadgrids=@/etc/passwd',
    '+init=epsg:4326 +proj=longlat',
    '+proj=pipeline +step +proj=merc',
    '+proj=hgridshift +grids=x',
    '+proj=longlat\u0000',
    'PROJCS["m",EXTENSION["PROJ4","+proj=merc +nadgrids=/etc/passwd"]]',
    'BOUNDCRS[SOURCECRS[X],ABRIDGEDTRANSFORMATION["x",PARAMETERFILE["f","/etc/passwd"]]]',
    'COORDINATEOPERATION["x"]',
    '{"type":"Conversion","name":"x"}',
    '{"type":"ProjectedCRS"',
    '{"type":"BoundCRS","transformation":{"parameters":[{"name":"f","\\u0076alue":"/etc/passwd"}]}}',
    `+proj=longlat ${'+no_defs '.repeat(5000)}`,
  ]) {
    assert.throws(
      () => parseSrs(input),
      (error: ServiceError) =>
        error instanceof ServiceError && error.status === 400 && error.message.startsWith('srs:'),
      input,
    );
  }
});
