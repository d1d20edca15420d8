import assert from 'node:assert/strict';
import test from 'node:test';
import { engineFailure, engineWarnings } from './failure.js';

const messages: readonly [said: string, shown: RegExp][] = [
  ['/build/gdal/port/cpl_vsi_mem.cpp, 123: cannot allocate 4294967295 bytes', /more memory/],
  ["Assertion `x' failed\nin file `/home/someone/gdal-3.8/ogr/mitab_feature.cpp', line 123", /Assertion/],
  ["bad application_id=0x00000000 on '/job/1.gpkg'", /application_id/],
  ['Unable to open /job/1.dat or /tmp/cartulary/tmp/job_1/1.dat.', /Unable to open/],
  [
    'GPX driver only reads 2 links per element. Others will be ignored. This can be changed with the GPX_N_MAX_LINKS environment variable',
    /2 links per element\. Others will be ignored\./,
  ],
  ['/job/upload: Unsupported TIFF configuration', /could not be read: Unsupported|tab': Unsupported/],
  ['/job/upload, band 1: IReadBlock failed', /band 1: IReadBlock/],
  ['src/ogr/frmts/x.cpp:77: unexpected', /unexpected/],
  ['failed to prepare SQL: SELECT m._rowid_, m."a" FROM "w" m', /refuses a statement/],
  ['the extension (http://example.com/a/b) is not known', /\(http:\/\/example\.com\/a\/b\)/],
];

const hidden = /\/job|\/upload|\/tmp|\/home|\/build|\.cpp|environment|SELECT/;

test('messages of the engine are reported without paths and settings of its own', () => {
  for (const [said, shown] of messages) {
    const { message } = engineFailure({ errors: [said], failed: true }, 'towns.tab');
    assert.match(message, shown, said);
    assert.doesNotMatch(message, hidden, said);
    const [warning] = engineWarnings({ errors: [], warnings: [said, said], failed: false }, 'towns.tab');
    assert.match(warning!, /^'towns\.tab': /);
    assert.doesNotMatch(warning!, hidden, said);
  }
});
