import { ServiceError } from '../../errors.js';

/** What a file is by its content. */
export type Kind =
  | 'geojson'
  | 'kml'
  | 'gpx'
  | 'dxf'
  | 'mif'
  | 'tab'
  | 'shp'
  | 'gpkg'
  | 'fgb'
  | 'zip'
  | 'csv'
  | 'sxf'
  | 'xls'
  | 'xlsx';

/** Bytes that are enough to tell. */
export const headSize = 16_384;

const failed = (message: string): ServiceError => new ServiceError('import_failed', message);

const starts = (bytes: Buffer, text: string): boolean => bytes.toString('latin1', 0, text.length) === text;

const isImage = (what: string): string =>
  `The file is an image (${what}): it goes into a layer of the type raster`;

/** Where a tar archive tells what it is (POSIX.1-1988, "ustar"). */
const tarMark = 257;

/** First bytes of what is no vector data that is read, and what to do about it. */
const refused: readonly [start: string, message: string][] = [
  ['Rar!', 'This is a RAR archive: send a zip archive'],
  ['7z\xbc\xaf\x27\x1c', 'This is a 7z archive: send a zip archive'],
  ['BZh', 'This is packed with bzip2: send it in a zip archive'],
  ['\xfd7zXZ\0', 'This is packed with xz: send it in a zip archive'],
  ['AC10', 'This is a DWG drawing: save it as DXF'],
  ['AutoCAD Binary DXF', 'Binary DXF is not read: save it as text'],
  ['II*\0', isImage('geotif')],
  ['MM\0*', isImage('geotif')],
  ['II+\0', isImage('geotif')],
  ['\x89PNG', isImage('png')],
  ['\xff\xd8\xff', isImage('jpg')],
  ['.SXF', 'This is SXF as text: save it in the binary form'],
  ['%PDF', 'This is a PDF document, which holds no objects to import'],
];

/**
 * The format of a file by its first bytes; undefined where they do not tell, which leaves it to the name. Throws
 * `import_failed` for what is known and not read.
 */
export function recognize(head: Buffer): Kind | undefined {
  if (starts(head, 'PK\x03\x04') || starts(head, 'PK\x05\x06')) return 'zip';
  // What OLE2 holds (xls, doc, msg …) stands anywhere in it: the reader of spreadsheets finds out.
  if (starts(head, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return 'xls';
  if (starts(head, 'fgb\x03fgb')) return 'fgb';
  if (starts(head, 'SXF\0')) return 'sxf';
  // The application that a GeoPackage names in its head is often absent: its tables tell.
  if (starts(head, 'SQLite format 3\0')) return 'gpkg';
  if (head.length >= 100 && head.readUInt32BE(0) === 9994 && head.readUInt32LE(28) === 1000) return 'shp';
  if (head.toString('latin1', tarMark, tarMark + 5) === 'ustar')
    throw failed('This is a tar archive: send a zip archive');
  const known = refused.find(([start]) => starts(head, start));
  if (known) throw failed(known[1]);
  return textKind(textOf(head));
}

function textOf(head: Buffer): string {
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  // Of UTF-16 the zeros are left out: the words that matter are ASCII.
  const text = head.toString('latin1').replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '');
  return (isWide ? text.replaceAll('\0', '') : text).trimStart();
}

/** Also a text sequence (RFC 8142), which begins with a record separator. */
const isJson = (text: string): boolean => ['{', '[', '\u001e'].includes(text[0] ?? '');

/** Whether these first bytes tell already that it is JSON, which need not be waited for. */
export const beginsAsJson = (head: Buffer): boolean => isJson(textOf(head));

function textKind(text: string): Kind | undefined {
  if (isJson(text)) return 'geojson';
  if (text.startsWith('<')) return xmlKind(text);
  if (/^version\s+"?\d+/i.test(text) && /\b(?:charset|delimiter|coordsys|columns)\b/i.test(text))
    return 'mif';
  if (/^!table\b/i.test(text)) return 'tab';
  if (/^(?:999[ \t]*\r?\n.*\r?\n[ \t]*)*0[ \t]*\r?\n[ \t]*SECTION\b/i.test(text)) return 'dxf';
  return undefined;
}

function xmlKind(text: string): Kind {
  // What it declares, entities above all, can only do harm.
  if (/<!DOCTYPE/i.test(text)) {
    throw failed('XML with a document type declaration (DOCTYPE) is not imported');
  }
  const root = /^<(?:[\w.-]+:)?([\w.-]+)/.exec(withoutProlog(text))?.[1];
  if (root === 'kml' || root === 'gpx') return root;
  throw failed(`XML with the root element '${(root ?? '').slice(0, 50)}' is not imported; KML and GPX are`);
}

/** What follows the declaration, instructions and comments. */
function withoutProlog(text: string): string {
  let rest = text;
  for (;;) {
    const end = rest.startsWith('<?') ? '?>' : rest.startsWith('<!--') ? '-->' : undefined;
    if (!end) return rest;
    const at = rest.indexOf(end);
    if (at === -1) return '';
    rest = rest.slice(at + end.length).trimStart();
  }
}
