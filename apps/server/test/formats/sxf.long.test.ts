import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { readPassport } from '@cartulary/formats/internal/sxf/passport.js';
import { rsc, type SxfObject, type SxfPassport, semantic, sxf, sxfRecord } from '../support/sxf.js';
import { zipOf } from './archives.js';
import { type Formats, startFormats } from './support.js';

let formats: Formats;

test.before(async () => {
  formats = await startFormats({ CARTULARY_IMPORT_FEATURE_LIMIT: '2000000' }, 'here');
});
test.after(() => formats.server.stop());
test.afterEach(() => formats.assertClean());

/** A place in Moscow, in degrees and in zone 7 of SK-42. */
const moscow = [37.6173, 55.7558] as const;
const north = 6_182_341.067;
const east = 7_413_305.557;
const rad = (degrees: number): number => (degrees * Math.PI) / 180;
/** Of a sheet around it: north and east, latitude and longitude. */
const corners = [6_180_000, 7_410_000, 6_190_000, 7_410_000, 6_190_000, 7_420_000, 6_180_000, 7_420_000];
const geographic = [55.7, 37.5, 55.8, 37.5, 55.8, 37.7, 55.7, 37.7].map(rad);
const meters = { corners, geographic, isReal: true };
const v4: SxfPassport = { version: 4, ...meters };
const v3: SxfPassport = { version: 3, ...meters };

const dot = (part: number[] = [north, east], more: Partial<SxfObject> = {}): SxfObject => ({
  kind: 'point',
  code: 77,
  parts: [[part]],
  ...more,
});

const square = (size: number, n = north, e = east): number[][] => [
  [n, e],
  [n + size, e],
  [n + size, e + size],
  [n, e + size],
  [n, e],
];

function assertNear(actual: readonly number[], expected: readonly number[], tolerance = 2e-6): void {
  assert.equal(actual.length, expected.length, JSON.stringify(actual));
  for (const [i, value] of actual.entries()) {
    assert.ok(Math.abs(value - expected[i]!) <= tolerance, `${JSON.stringify(actual)} is not ${expected}`);
  }
}

async function imported(file: Buffer, name = 'x.sxf', query = '') {
  const layer = await formats.newLayer();
  const report = await formats.load(layer, file, name, query);
  return { report, objects: await formats.objects(layer), layer };
}

/** The numbers of positions without their heights. */
const plane = (value: any): number[] =>
  typeof value[0] === 'number' ? value.slice(0, 2) : value.flatMap(plane);

const everyKind: SxfObject[] = [
  dot([north, east], { key: 4_000_000_000 }),
  { kind: 'point', code: 78, parts: [[[north, east]], [[north + 10, east]]] },
  { kind: 'line', code: 1, parts: [square(100).slice(0, 3)] },
  { kind: 'line', code: 1, parts: [square(100).slice(0, 3), square(50).slice(0, 2)] },
  { kind: 'polygon', code: 2, parts: [square(1000), square(100, north + 100, east + 100)] },
  {
    kind: 'polygon',
    code: 3,
    parts: [square(1000), square(100, north + 5000), square(10, north + 5010, east + 10)],
  },
  { kind: 'vector', code: 4, parts: [square(100).slice(0, 2)] },
  { kind: 'label', code: 5, parts: [square(100).slice(0, 2)], texts: ['Река Москва'] },
  { kind: 'label', code: 5, parts: [[[north, east]], [[north + 10, east]]], texts: ['верх', 'низ'] },
  { kind: 'template', code: 6, parts: [[[north, east]]], texts: ['1/2'] },
  { kind: 'line', code: 7, parts: [[]] },
];

for (const passport of [v3, v4]) {
  test(`version ${passport.version}: every kind of object`, async () => {
    const { report, objects: found } = await imported(sxf(passport, everyKind));
    assert.deepEqual([report.read, report.stored, report.format], [11, 11, 'sxf']);
    assert.equal(report.projection, 'EPSG:28407');
    assert.equal(report.encoding, passport.version === 3 ? 'cp866' : 'windows-1251');
    assert.deepEqual(
      found.map(({ geom }) => geom?.type ?? null),
      [
        'Point',
        'MultiPoint',
        'LineString',
        'MultiLineString',
        'Polygon',
        'MultiPolygon',
        'LineString',
        'Point',
        'MultiPoint',
        'Point',
        null,
      ],
    );
    assert.deepEqual(
      found.map(({ fields }) => fields.kind),
      [
        'point',
        'point',
        'line',
        'line',
        'polygon',
        'polygon',
        'vector',
        'label',
        'label',
        'template',
        'line',
      ],
    );
    assertNear(found[0]!.geom.coordinates, moscow);
    assert.deepEqual([found[0]!.fields.class_code, found[0]!.fields.key], [77, 4_000_000_000]);
    assert.deepEqual(
      found[4]!.geom.coordinates.map((ring: unknown[]) => ring.length),
      [5, 5],
    );
    // A further outer ring is a separate area, and a ring within it its hole.
    assert.deepEqual(
      found[5]!.geom.coordinates.map((rings: unknown[]) => rings.length),
      [1, 2],
    );
    assert.deepEqual(
      found.slice(7, 10).map(({ fields }) => fields.text),
      ['Река Москва', 'верх\nниз', '1/2'],
    );
  });

  test(`version ${passport.version}: every form of a coordinate`, async () => {
    for (const numbers of ['f32', 'f64', 'i32'] as const) {
      const place = numbers === 'f32' ? [6_182_341, 7_413_305.5] : [6_182_341, 7_413_305];
      const { objects } = await imported(
        sxf(passport, [dot(place, { numbers }), dot([...place, 156.5], { numbers })]),
      );
      assertNear(objects[0]!.geom.coordinates, moscow, 1e-5);
      assert.equal(objects[1]!.geom.coordinates[2], 156.5);
      // A height of -111111 means no height.
      const bare = await imported(sxf(passport, [dot([...place, -111_111], { numbers })]));
      assert.equal(bare.objects[0]!.geom.coordinates.length, 2);
    }
    // Steps of the digitizer: 20,000 a metre on a map of 1 : 100,000 are 5 m each.
    const frame = [100, 200, 2_100, 200, 2_100, 2_200, 100, 2_200];
    const steps: SxfPassport = { ...passport, isReal: false, frame };
    for (const numbers of ['i16', 'i32', 'f32'] as const) {
      const { objects } = await imported(
        sxf(steps, [
          dot([100 + (6_182_340 - 6_180_000) / 5, 200 + (7_413_305 - 7_410_000) / 5], { numbers }),
        ]),
      );
      assertNear(objects[0]!.geom.coordinates, moscow, 2e-5);
    }
  });

  test(`version ${passport.version}: projections`, async () => {
    const projection = async (more: Partial<SxfPassport>, place = [north, east]) =>
      (await imported(sxf({ ...passport, ...more }, [dot(place)]), 'x.sxf', 'dry_run=1')).report;
    assert.equal((await projection({ system: 9 })).projection, 'EPSG:20007');
    assert.equal((await projection({ ellipsoid: 46, system: 10 })).projection, 'EPSG:20907');
    assert.equal((await projection({ geographic: [] })).projection, 'EPSG:28407');
    const utm = { ellipsoid: 9, projection: 17, system: 2, corners: [] };
    const inZone = await projection(utm, [6_179_766.954, 413_224.138]);
    assert.equal(inZone.projection, 'EPSG:32637');
    assertNear(inZone.extent.slice(0, 2), moscow);
    const degrees = { ellipsoid: 9, projection: 33, unit: passport.version === 3 ? 129 : 65 };
    const plain = await projection(degrees, [55.7558, 37.6173]);
    assert.equal(plain.projection, 'EPSG:4326');
    assertNear(plain.extent.slice(0, 2), moscow, 1e-9);
    const radians = { ellipsoid: 1, projection: 33, unit: passport.version === 3 ? 130 : 64 };
    const pulkovo = await projection(radians, [rad(55.755_757), rad(37.619_174)]);
    assert.equal(pulkovo.projection, 'EPSG:4284');
    assertNear(pulkovo.extent.slice(0, 2), moscow);
    // An axis of its own, 40.5 degrees east.
    const own = await projection({ parameters: [0, 0, rad(40.5), 0, 0, 0] });
    assert.match(own.projection, /^\+proj=tmerc \+lat_0=0 \+lon_0=40\.5 .*\+ellps=krass \+towgs84=23\.57/);
    // Parameters take precedence over the file.
    const layer = await formats.newLayer();
    const given = await formats.load(
      layer,
      sxf(passport, [dot([6_179_766.954, 413_224.138])]),
      'x',
      'srs=32637&dry_run=1',
    );
    assertNear(given.extent.slice(0, 2), moscow);
    // An unknown projection must be given as a parameter.
    const unknown = sxf({ ...passport, projection: 99 }, [dot()]);
    const refused = await formats.send(layer, unknown, 'x.sxf');
    assert.equal(refused.json.code, 'import_failed');
    assert.match(refused.json.message, /give srs/);
    assert.equal((await formats.load(layer, unknown, 'x.sxf', 'srs=28407&dry_run=1')).read, 1);
  });

  test(`version ${passport.version}: values of every type`, async () => {
    const semantics = [
      semantic(1, 0, 'Досовский дом'),
      semantic(2, 126, 'Виндовый «дом»'),
      semantic(3, 127, 'Юникод Ω 漢'),
      semantic(4, '127 bytes', 'Юникод Ω 漢'),
      semantic(5, 128, 'ы'.repeat(1000)),
      semantic(6, 1, 200),
      semantic(7, 2, -12_345, -2),
      semantic(8, 4, 2_000_000_001, -3),
      semantic(9, 8, 0.1),
      semantic(10, 1, 3, 2),
      semantic(11, 126, ''),
      semantic(12, 126, 'first'),
      semantic(12, 126, 'second'),
    ];
    const { objects } = await imported(sxf(passport, [dot(undefined, { semantics }), dot()]));
    const { kind, class_code, key, ...fields } = objects[0]!.fields;
    assert.deepEqual(fields, {
      sem_1: 'Досовский дом',
      sem_2: 'Виндовый «дом»',
      sem_3: 'Юникод Ω 漢',
      sem_4: 'Юникод Ω 漢',
      sem_5: 'ы'.repeat(1000),
      sem_6: 200,
      sem_7: -123.45,
      sem_8: 2_000_000.001,
      sem_9: 0.1,
      sem_10: 300,
      sem_12: 'first',
      sem_12_2: 'second',
    });
    assert.equal(objects[1]!.fields.sem_1, null);
  });

  test(`version ${passport.version}: as the engine reads it`, async () => {
    const objects: SxfObject[] = [
      { kind: 'line', code: 987_654, parts: [square(100).slice(0, 3)], semantics: [semantic(2, 126, 'дом')] },
      { kind: 'polygon', code: 987_654, parts: [square(1000), square(100, north + 100, east + 100)] },
      dot(undefined, { code: 987_654, semantics: [semantic(9, 8, 12.5), semantic(1, 0, 'сад')] }),
    ];
    const file = sxf(passport, objects);
    const { config, engine } = formats.server.server.services;
    const folder = join(config.dataFolder, 'tmp', 'sxf-check');
    mkdirSync(folder, { recursive: true });
    try {
      writeFileSync(join(folder, 'x.sxf'), file);
      const job = await engine.start(folder, AbortSignal.timeout(60_000));
      const target = 'x.geojson';
      const args = ['-f', 'GeoJSON', '-t_srs', 'EPSG:4326', '-lco', 'COORDINATE_PRECISION=9'];
      const report = await job.ask({ kind: 'convert', data: { file: 'x.sxf', driver: 'SXF' }, target, args });
      assert.equal(report.failed, false, report.errors.join());
      const other = await formats.newLayer();
      job.end();
      await formats.load(other, readFileSync(join(folder, target)), target);
      const theirs = await formats.objects(other);
      const { objects: ours } = await imported(file);
      assert.equal(theirs.length, ours.length);
      for (const [i, { geom }] of ours.entries()) {
        assertNear(plane(geom.coordinates), plane(theirs[i]!.geom.coordinates), 2e-8);
      }
      const values = (fields: Record<string, unknown>) =>
        Object.values(fields).filter((value) => value !== null);
      for (const value of ['дом'])
        assert.ok(values(theirs[0]!.fields).includes(value) && values(ours[0]!.fields).includes(value));
      for (const value of ['сад', 12.5])
        assert.ok(values(theirs[2]!.fields).includes(value) && values(ours[2]!.fields).includes(value));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

/** Eastings of a sheet 100 km east of an axis, with the number of the zone before them, or 0. */
const eastward = (prefix: number): number[] =>
  [90_000, 90_000, 110_000, 110_000].map((metres) => prefix * 1e6 + 500_000 + metres);

test('every zone: eastings with its number, also if the passport declares the false easting without it', () => {
  const northings = (latitude: number): number[] =>
    [-10_000, 10_000, 10_000, -10_000].map((metres) => latitude * 111_200 + metres);
  for (const version of [3, 4] as const) {
    for (let zone = 1; zone <= 60; zone++) {
      for (const [latitude, told, prefix] of [56, -30, 0.1].flatMap((degrees) =>
        [0, 500_000, zone * 1e6 + 500_000].flatMap((easting) => [
          [degrees, easting, zone] as const,
          [degrees, easting, 0] as const,
        ]),
      )) {
        if (version === 3 && told) continue;
        const axis = ((zone * 6 - 3 + 180) % 360) - 180;
        const longitude = axis + 100_000 / (111_200 * Math.cos(rad(latitude)));
        const [n, e] = [northings(latitude), eastward(prefix)];
        const passport: SxfPassport = {
          version,
          isReal: true,
          corners: n.flatMap((north, i) => [north, e[i]!]),
          geographic: [1, 2, 3, 4].flatMap(() => [rad(latitude), rad(longitude)]),
          parameters: [0, 0, rad(axis), 0, 0, told],
        };
        const origin = prefix * 1e6 + 500_000;
        const srsOf = (more: Partial<SxfPassport>): string =>
          readPassport(sxf({ ...passport, ...more }, [])).srs ?? 'none';
        const isCoded = prefix !== 0 && zone >= 4 && zone <= 32;
        const expected = isCoded
          ? new RegExp(`^EPSG:${28_400 + zone}$`)
          : new RegExp(`\\+lon_0=(${axis}|${axis + 360}) .*\\+x_0=${origin} \\+y_0=0 `);
        const what = `version ${version}, zone ${zone}, ${latitude}, ${told}, ${prefix}`;
        assert.match(srsOf({}), expected, what);
        // Without the axis, or the corners in degrees, the other fields determine the projection.
        assert.match(srsOf({ parameters: [0, 0, 0, 0, 0, told] }), expected, what);
        assert.match(srsOf({ geographic: [] }), expected, what);
        const bare = srsOf({ geographic: [], parameters: [0, 0, 0, 0, 0, told] });
        if (prefix) assert.match(bare, expected, what);
        else assert.equal(bare, 'none', what);
      }
    }
  }
});

test('UTM: every zone of both hemispheres, with and without its number before the eastings', () => {
  for (let zone = 1; zone <= 60; zone++) {
    for (const latitude of [56, -30]) {
      const axis = zone * 6 - 183;
      const north = latitude * 111_200 + (latitude < 0 ? 1e7 : 0);
      for (const prefix of [0, zone]) {
        const passport: SxfPassport = {
          version: 4,
          isReal: true,
          ellipsoid: 9,
          projection: 17,
          corners: eastward(prefix).flatMap((e) => [north, e]),
          geographic: [1, 2, 3, 4].flatMap(() => [rad(latitude), rad(axis + 1)]),
          parameters: [0, 0, rad(axis), 0, 0, 0],
        };
        const { srs } = readPassport(sxf(passport, []));
        if (!prefix) assert.equal(srs, `EPSG:${(latitude < 0 ? 32_700 : 32_600) + zone}`);
        else
          assert.ok(
            srs!.includes(
              `+lon_0=${axis} +k=0.9996 +x_0=${zone * 1e6 + 500_000} +y_0=${latitude < 0 ? 10_000_000 : 0} `,
            ),
            srs,
          );
      }
    }
  }
});

test('a sheet of zone 10 whose passport declares the false easting without the zone', async () => {
  const passport: SxfPassport = {
    version: 4,
    isReal: true,
    corners: [6_000_000, 10_500_000, 6_040_000, 10_500_000, 6_040_000, 10_540_000, 6_000_000, 10_540_000],
    geographic: [54.13, 57, 54.49, 57, 54.49, 57.6, 54.13, 57.6].map(rad),
    parameters: [0, 0, rad(57), 0, 0, 500_000],
  };
  const { report, objects } = await imported(sxf(passport, [dot([6_000_000, 10_500_000])]));
  assert.equal(report.projection, 'EPSG:28410');
  assert.ok(Math.abs(objects[0]!.geom.coordinates[0] - 57) < 0.002);
});

test('version 4: a projection by its EPSG code, more than 65,535 positions, texts in UTF-16', async () => {
  const coded = { ...v4, epsg: 3857, projection: 99 };
  const line = Array.from({ length: 70_000 }, (_, i) => [7_500_000 + i, 4_187_538]);
  const objects: SxfObject[] = [
    { kind: 'line', code: 1, parts: [line, line], numbers: 'i32' },
    { kind: 'label', code: 2, parts: [[[7_500_000, 4_187_538]]], texts: ['Ω текст'], isWideText: true },
  ];
  const { report, objects: found } = await imported(sxf(coded, objects), 'x.sxf');
  assert.equal(report.projection, 'EPSG:3857');
  assert.deepEqual(
    found[0]!.geom.coordinates.map((part: unknown[]) => part.length),
    [70_000, 70_000],
  );
  assert.equal(found[1]!.fields.text, 'Ω текст');
});

test('names come from the classifier beside it', async () => {
  const names = rsc({
    objects: [
      { code: 77, kind: 'point', name: 'Колодец', layer: 3 },
      { code: 77, kind: 'line', name: 'Канава', layer: 4 },
    ],
    semantics: [
      { code: 9, name: 'СОБСТВЕННОЕ НАЗВАНИЕ' },
      { code: 10, name: 'kind' },
      { code: 11, name: '__proto__' },
    ],
    layers: [{ number: 3, name: 'ГИДРОГРАФИЯ' }],
  });
  const semantics = [
    semantic(9, 126, 'Святой'),
    semantic(10, 126, 'own'),
    semantic(11, 126, 'p'),
    semantic(12, 126, 'x'),
  ];
  const line: SxfObject = { kind: 'line', code: 77, parts: [square(100).slice(0, 2)] };
  const file = sxf(v4, [dot(undefined, { semantics }), line]);
  for (const [sheet, classifier] of [
    ['maps/sheet.sxf', 'maps/sheet.rsc'],
    ['sheet.sxf', 'Топо 100.rsc'],
  ]) {
    const { objects, layer } = await imported(await zipOf({ [sheet!]: file, [classifier!]: names }), 'x.zip');
    const columns = await formats.server.admin('GET', `/m/layers/${layer}/structure/`);
    const titled = Object.fromEntries(columns.map(({ name, code }: any) => [name, objects[0]!.fields[code]]));
    assert.equal(titled['СОБСТВЕННОЕ НАЗВАНИЕ'], 'Святой');
    const { class_name, layer: group, kind, sem_10, sem_11, sem_12 } = objects[0]!.fields;
    assert.deepEqual([class_name, group, kind], ['Колодец', 'ГИДРОГРАФИЯ', 'point']);
    assert.deepEqual([sem_10, sem_11, sem_12], ['own', 'p', 'x']);
    assert.deepEqual([objects[1]!.fields.class_name, objects[1]!.fields.layer], ['Канава', null]);
  }
  const wild = Buffer.from(names).fill(255, 120, 132);
  // A damaged classifier leaves the codes.
  for (const damaged of [names.subarray(0, 100), names.subarray(0, 400), Buffer.from('rubbish'), wild]) {
    const { objects } = await imported(await zipOf({ 'a.sxf': file, 'a.rsc': damaged }), 'x.zip');
    assert.equal(objects[0]!.fields.class_code, 77);
  }
});

test('several sheets in one archive', async () => {
  const zip = await zipOf({ 'a.sxf': sxf(v3, [dot()]), 'b.sxf': sxf(v4, [dot(), dot()]) });
  const { report } = await imported(zip, 'x.zip');
  assert.deepEqual([report.read, report.stored], [3, 3]);
});

test('the encoding can be given', async () => {
  const label: SxfObject = {
    kind: 'label',
    code: 5,
    parts: [[[north, east]]],
    texts: [Buffer.from('cfeee4efe8f1fc', 'hex')],
  };
  const { objects } = await imported(sxf(v3, [label]), 'x.sxf', 'encoding=windows-1251');
  assert.equal(objects[0]!.fields.text, 'Подпись');
});

test('a damaged object is refused by its number, or left out', async () => {
  const bad: [Buffer, RegExp][] = [];
  const good = sxfRecord(dot(), 4);
  const changed = (offset: number, value: number, record = good): Buffer => {
    const copy = Buffer.from(record);
    copy.writeUInt16LE(value, offset);
    return copy;
  };
  bad.push([changed(30, 60_000), /more positions/]);
  bad.push([changed(28, 60_000), /more positions/]);
  bad.push([changed(20, 0x0009), /unknown kind 9/]);
  bad.push([sxfRecord(dot([Number.NaN, 1]), 4), /no number/]);
  bad.push([sxfRecord(dot([1, Number.POSITIVE_INFINITY]), 4), /no number/]);
  const wide = Buffer.from(good);
  wide.writeUInt16LE(65_535, 30);
  wide.writeUInt32LE(0xffffffff, 24);
  bad.push([wide, /more positions/]);
  const semantics = (bytes: string) =>
    sxfRecord(dot(undefined, { semantics: [Buffer.from(bytes, 'hex')] }), 4);
  bad.push([semantics('01007eff4142'), /value 1 is longer/]);
  bad.push([semantics('01008000ffffffff'), /value 1 is longer/]);
  bad.push([semantics('0100080000000000'), /value 1 is longer/]);
  bad.push([semantics('01007f0541004200'), /value 1 is longer/]);
  bad.push([semantics('0100630041424344'), /unknown type 99/]);
  bad.push([semantics('01000800000000000000f87f'), /no number/]);
  const layer = await formats.newLayer();
  const all = sxf({ ...v4, count: bad.length + 2 }, []);
  const file = Buffer.concat([all, good, ...bad.map(([record]) => record), good]);
  const refused = await formats.send(layer, file, 'x.sxf');
  assert.deepEqual([refused.json.code, refused.json.data.feature], ['value_invalid', 2]);
  const report = await formats.load(layer, file, 'x.sxf', 'skip_errors=1');
  assert.deepEqual([report.stored, report.refused], [2, bad.length]);
  for (const [i, [, says]] of bad.entries()) assert.match(report.errors[i].message, says);
});

test('a damaged file is refused as a whole', async () => {
  const layer = await formats.newLayer();
  const refusal = async (file: Buffer, name = 'x.sxf'): Promise<string> => {
    const answer = await formats.send(layer, file, name, 'skip_errors=1');
    assert.notEqual(answer.status, 200);
    assert.match(answer.text, /import_failed|too_large/);
    return answer.text;
  };
  for (const passport of [v3, v4]) {
    const file = sxf(passport, [dot(undefined, { semantics: [semantic(1, 126, 'дом')] }), dot()]);
    const ends = [5, 20, 100, 250, 299, 400, 440, 451, file.length - 100, file.length - 20, file.length - 1];
    for (const end of ends.filter((place) => place < file.length)) {
      assert.match(await refusal(file.subarray(0, end)), /cut off|damaged|none by its content/, `${end}`);
    }
    const changed = (offset: number, value: number): Buffer => {
      const copy = Buffer.from(file);
      copy.writeUInt32LE(value, offset);
      return copy;
    };
    const first = passport.version === 3 ? 300 : 452;
    const count = passport.version === 3 ? 288 : 440;
    assert.match(await refusal(changed(count, 2 ** 31)), /should have 2147483648 objects, but 2/);
    assert.match(await refusal(changed(count, 0xffffffff)), /but 2 could be read/);
    assert.match(await refusal(changed(first, 1)), new RegExp(`damaged at byte ${first}`));
    assert.match(await refusal(changed(first + 4, 0)), /damaged/);
    assert.match(await refusal(changed(first + 4, 31)), /damaged/);
    assert.match(await refusal(changed(first + 4, 0xffffffff)), /larger than/);
    assert.match(await refusal(changed(first + 8, 0xffffffff)), /damaged/);
    assert.match(await refusal(changed(4, 12)), /passport of the SXF has 12 bytes/);
    assert.match(await refusal(changed(8, 0)), /version 0/);
    assert.match(await refusal(changed(first === 300 ? 256 : 400, 0)), /no descriptor/);
    const steps = { ...passport, isReal: false, frame: [1, 1, 1, 1, 1, 1, 1, 1], resolution: 0 };
    assert.match(await refusal(sxf(steps, [dot()])), /scale/);
  }
  assert.match(
    await refusal(sxf({ ...v4, corners: [Number.NaN], geographic: [Number.NaN] }, [dot()])),
    /give srs/,
  );
  assert.match(await refusal(Buffer.from('.SXF 3.0\r\n.DAT 1\r\n')), /binary form/);
});

test('without objects, and with bytes after the last', async () => {
  assert.equal((await imported(sxf(v4, []))).report.read, 0);
  const padded = Buffer.concat([sxf(v3, [dot()]), Buffer.alloc(100)]);
  assert.equal((await imported(padded)).report.read, 1);
});
