import type { Random } from '../random.js';
import { anything, inAddress, text } from './hostile-values.js';
import { type Draft, isProjectPath } from './operation.js';
import { files } from './samples.js';

type Change = (draft: Draft, random: Random) => void;

/** Parameters of any function: they are put into the queries of others, too. */
const queryNames = [
  'limit offset fields sort fbbox fcode fval cursor geomZoom lng f srs layers token filter raster_bbox encoding delimiter x y',
  'wkt sheet async zip __proto__ a[b] dry_run header decimal geometry skip_errors action localized draft returnCounts upload key',
  'rules percentiles bbox bbox-crs crs subset center sortby properties datetime collections width height scale-denominator',
  'mm-per-pixel bgcolor count startindex srsname filter-lang filter-crs skip',
].flatMap((names) => names.split(' '));

const changes: readonly Change[] = [
  function pathValue(draft, random) {
    const names = Object.keys(draft.values);
    if (names.length) draft.values[random.pick(names)] = `%RAW%${inAddress(random)}`;
  },
  function queryValue(draft, random) {
    const names = Object.keys(draft.query);
    if (names.length) draft.query[random.pick(names)] = `%RAW%${inAddress(random)}`;
  },
  function moreQuery(draft, random) {
    draft.query[random.pick([...queryNames, text(random).slice(0, 50)])] = `%RAW%${inAddress(random)}`;
  },
  function bodyValue(draft, random) {
    if (isJson(draft.body)) draft.body = changed(draft.body, random);
  },
  function bodyValues(draft, random) {
    for (let times = 1 + random.below(4); times > 0; times--)
      if (isJson(draft.body)) draft.body = changed(draft.body, random);
  },
  function otherBody(draft, random) {
    if (draft.method !== 'GET') draft.body = anything(random) ?? 'null';
  },
  function brokenBody(draft, random) {
    if (draft.body === undefined) return;
    const whole = isJson(draft.body)
      ? Buffer.from(JSON.stringify(draft.body))
      : Buffer.from(draft.body as Uint8Array);
    if (isJson(draft.body)) draft.headers['content-type'] ??= 'application/json';
    const broken = random.pick([
      () => whole.subarray(0, random.below(whole.length)),
      () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(whole.toString('latin1'), 'utf16le')]),
      () => Buffer.concat([Buffer.from('\ufeff'), whole]),
      () => Buffer.concat([whole, whole]),
      () => flipped(whole, random),
      () => Buffer.from('[['.repeat(2_000)),
      () => Buffer.from('{"a":'.repeat(20_000)),
    ]);
    draft.body = broken();
  },
  function xmlValues(draft, random) {
    if (!String(draft.headers['content-type']).includes('xml') || !(draft.body instanceof Uint8Array)) return;
    const parts = Buffer.from(draft.body)
      .toString()
      .split(/(?<=>)(?=[^<]+<)|(?<==")|(?=<)/);
    const at = random.below(parts.length);
    const value = xmlText(random);
    draft.body = Buffer.from(
      parts.map((part, i) => (i === at ? part.replace(/^[^<"]*/, () => value) : part)).join(''),
    );
  },
  function brokenFile(draft, random) {
    if (!/Import$|Files$|Icons?$/.test(draft.operationId) || draft.method === 'GET') return;
    const { name, bytes: content } = random.pick(files);
    draft.body = random.chance(0.3)
      ? content.subarray(0, random.below(content.length))
      : flipped(content, random);
    draft.headers = { 'x-filename': headerText(random.chance(0.8) ? name : text(random)) };
  },
  function contentType(draft, random) {
    draft.headers['content-type'] = random.pick([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=----soak-7f3a; boundary=b',
      'application/json; charset=utf-16',
      'application/json;',
      'image/png',
      'application/__proto__',
      'x',
    ]);
  },
  function header(draft, random) {
    const value = random.pick([
      '*',
      'W/"x"',
      '"',
      'bytes=0-',
      'bytes=9-1,2-,-0',
      'gzip',
      'x'.repeat(3_000),
      'Sun, 06 Nov 1994',
      '__proto__',
      '-1',
      'a;q=9',
    ]);
    const names = [
      'if-none-match',
      'if-match',
      'range',
      'if-range',
      'accept',
      'accept-language',
      'accept-encoding',
      'content-encoding',
    ];
    const more = [
      'if-modified-since',
      'x-filename',
      'cookie',
      'origin',
      'x-forwarded-for',
      'x-http-method-override',
      'last-event-id',
      'authorization',
    ];
    draft.headers[random.pick([...names, ...more])] = value;
  },
  function method(draft, random) {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND'];
    draft.method = random.pick(isProjectPath(draft.path) ? methods : [...methods, 'DELETE']);
  },
  function cutOff(draft) {
    draft.isCutOff = true;
  },
  function caller(draft, random) {
    draft.withToken = false;
    if (random.chance(0.5))
      draft.headers.authorization = random.pick([
        'Bearer x',
        'Bearer ',
        'Basic eDp5',
        `Basic ${Buffer.from(`:${'x'.repeat(43)}`).toString('base64')}`,
        'Basic ::::',
        `Bearer ${'x'.repeat(3_000)}`,
      ]);
  },
];

/** A hostile text in XML: mostly escaped; or what a parser must not resolve, or an element that stands nowhere. */
const xmlText = (random: Random): string =>
  random.chance(0.7)
    ? text(random).replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    : random.pick([
        '&x;',
        '&#0;',
        '<![CDATA[]]>',
        '<a/>',
        '<?x y?>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<Not>'.repeat(200),
      ]);

const isJson = (body: unknown): boolean =>
  body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);

const headerText = (value: string): string => value.replace(/[^\x20-\x7e]/g, '_').slice(0, 2_000);

function flipped(content: Buffer, random: Random): Buffer {
  const copy = Buffer.from(content);
  for (let times = 1 + random.below(20); times > 0; times--)
    copy[random.below(copy.length)] = random.below(256);
  return copy;
}

/** A copy with one value changed, removed or added. */
function changed(value: unknown, random: Random): unknown {
  if (value === null || typeof value !== 'object' || random.chance(0.1)) return anything(random);
  const copy: any = Array.isArray(value) ? [...value] : { ...value };
  const keys = Object.keys(copy);
  if (!keys.length || random.chance(0.1)) {
    // An own property `__proto__`, as JSON.parse creates it.
    const key = text(random);
    Object.defineProperty(copy, Array.isArray(copy) ? copy.length : key, {
      value: anything(random),
      enumerable: true,
      configurable: true,
      writable: true,
    });
    return copy;
  }
  const key = random.pick(keys);
  if (random.chance(0.1)) delete copy[key];
  else copy[key] = changed(copy[key], random);
  return copy;
}

/** Changes of values are more frequent, because other changes are often refused before the body is read. */
const weighted = changes.flatMap((change) =>
  /Values?$|moreQuery|File/.test(change.name) ? [change, change, change] : [change],
);

/** Applies one to three hostile changes to a valid request. */
export function makeHostile(draft: Draft, random: Random): void {
  for (let times = random.pick([1, 1, 1, 2, 3]); times > 0; times--) random.pick(weighted)(draft, random);
}
