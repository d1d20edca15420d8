import { filesOf, zipOf } from '../archives.js';
import { fixture } from '../support.js';
import { bad, type Case } from './case.js';

/** An archive whose bytes were changed after it was made. */
const changed = (archive: Buffer, from: string, to: string): Buffer =>
  Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1');

/** Both records of the only file of an archive, local and central, with a flag or a size overwritten. */
function patched(archive: Buffer, local: number, central: number, value: number): Buffer {
  const bytes = Buffer.from(archive);
  const directory = bytes.lastIndexOf('PK\x01\x02', undefined, 'latin1');
  bytes.writeUInt16LE(value, local);
  bytes.writeUInt16LE(value, directory + central);
  return bytes;
}

const geojson = '{"type":"FeatureCollection","features":[]}';

/** A file of the Unix kind "link" that leads elsewhere. */
async function linkTo(target: string): Promise<Buffer> {
  const bytes = Buffer.from(await zipOf({ 'a.geojson': target }));
  const directory = bytes.lastIndexOf('PK\x01\x02', undefined, 'latin1');
  bytes.writeUInt16LE(0x031e, directory + 4);
  bytes.writeUInt32LE(0o120777 * 0x10000, directory + 38);
  return bytes;
}

const zipped = (what: string, file: Buffer, says: RegExp): Case => bad(what, file, 'x.zip', says);

export const archiveCases = async (): Promise<Case[]> => [
  ...(await filesOfLayers()),
  ...(await zipFiles()),
  bad('KMZ without KML', await zipOf({ 'a.png': 'x' }), 'x.kmz', /holds nothing/),
  bad('KMZ with a damaged KML', await zipOf({ 'doc.kml': '<kml><Document>' }), 'x.kmz', /XML|cut off/),
];

/** Shapefiles and MapInfo files that are damaged or lack a part. */
async function filesOfLayers(): Promise<Case[]> {
  const shp = filesOf(fixture('shp-utf8.zip'));
  const without = (extension: string) =>
    zipOf(Object.fromEntries(Object.entries(shp).filter(([name]) => !name.endsWith(extension))));
  const cut = (extension: string, bytes: number) =>
    zipOf(
      Object.fromEntries(
        Object.entries(shp).map(([name, content]) => [
          name,
          name.endsWith(extension) ? content.subarray(0, bytes) : content,
        ]),
      ),
    );
  return [
    zipped('shapefile without .shp', await without('.shp'), /not the \.shp/),
    zipped('shapefile: .shp cut off', await cut('.shp', 120), /cut off|damaged/),
    zipped('shapefile: .shp of its head alone', await cut('.shp', 100), /cut off|damaged|\.dbf has/),
    zipped('shapefile: .dbf cut off', await cut('.dbf', 300), /cut off|damaged|should have/),
    zipped('shapefile: empty .dbf', await cut('.dbf', 0), /\.dbf/),
    zipped('shapefile: empty .shp', await cut('.shp', 0), /no shp|cut off|damaged/),
    zipped(
      'MapInfo without .map',
      await zipOf({ 'a.tab': filesOf(fixture('tab.zip'))['places.tab']! }),
      /could not be read|\.dat|\.map/,
    ),
    bad('a lone .shp', shp['places.shp']!, 'places.shp', /zip/),
    bad(
      'a lone .dbf that is cut off',
      shp['places.dbf']!.subarray(0, 300),
      'places.dbf',
      /should have .* records/,
    ),
  ];
}

async function zipFiles(): Promise<Case[]> {
  const one = await zipOf({ 'xx/a.geojson': geojson });
  const files = (count: number, extension: string) =>
    zipOf(Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.${extension}`, ''])));
  const bomb = await zipOf({ 'a.geojson': Buffer.alloc(80 * 1024 * 1024, 0x20) });
  return [
    zipped('zip cut off', fixture('shp-utf8.zip').subarray(0, 700), /zip/),
    zipped('zip without anything', await zipOf({}), /holds nothing/),
    zipped('zip of texts', await zipOf({ 'a.doc': 'x' }), /holds nothing/),
    zipped('zip in a zip', await zipOf({ 'a.zip': fixture('shp-utf8.zip') }), /not opened/),
    zipped('zip slip', changed(one, 'xx/a', '../a'), /leads out/),
    zipped('zip slip by backslash', changed(one, 'xx/a', '..\\a'), /leads out/),
    zipped('zip with an absolute path', changed(one, 'xx/a', '//xa'), /leads out/),
    zipped('zip with a drive', changed(one, 'xx/a', 'c:/a'), /leads out/),
    zipped('zip with a link', await linkTo('/etc/passwd'), /link/),
    zipped('zip with a password', patched(one, 6, 8, 1), /password|encrypted/),
    zipped('zip packed in an unknown way', patched(one, 8, 10, 97), /zip|packed|compress/),
    zipped('zip whose content is not what was packed', patched(one, 14, 16, 1), /not what was packed/),
    zipped('zip bomb', bomb, /unpacks to more/),
    zipped('zip that lies about sizes', patched(bomb, 22, 24, 10), /zip|size|unpacks/),
    zipped('zip of many files', await files(60, 'shp'), /more than 50/),
    zipped(
      'zip of two formats',
      await zipOf({ 'a.kml': '<kml/>', 'b.gpx': fixture('track.gpx') }),
      /several formats/,
    ),
    zipped('RAR', Buffer.from('Rar!\x1a\x07\x00', 'latin1'), /zip/),
    zipped('7z', Buffer.from('7z\xbc\xaf\x27\x1c\x00', 'latin1'), /zip/),
  ];
}
