import { filesOf, zipOf } from '../archives.js';
import { fixture } from '../support.js';
import { bad, type Case, laughs } from './case.js';

const vrt =
  '<OGRVRTDataSource><OGRVRTLayer name="passwd"><SrcDataSource>/etc/passwd</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>';
const kml = (placemark: string, head = ''): string =>
  `<?xml version="1.0"?>${head}<kml><Document><Placemark>${placemark}</Placemark></Document></kml>`;
const place = (coordinates: string): string =>
  kml(`<Point><coordinates>${coordinates}</coordinates></Point>`);
const external = '<!DOCTYPE kml [<!ENTITY x SYSTEM "file:///etc/passwd">]>';

function kmlCases(): Case[] {
  const named = (what: string, file: string, says: RegExp): Case => bad(`KML: ${what}`, file, 'x.kml', says);
  return [
    named('billion laughs', kml('<name>&a8;</name>', laughs), /document type/),
    named('an entity from a file', kml('<name>&x;</name>', external), /document type/),
    named('an unknown entity', kml('<name>&x;</name>'), /Not valid XML/),
    named('cut off', kml('').slice(0, -12), /XML|cut off/),
    named('folders within folders', `<kml>${'<Folder>'.repeat(1000)}`, /deep/),
    named('not a number', place('NaN,1'), /Feature 1: .*NaN/),
    named('out of range', place('500,1'), /Feature 1: .*range/),
    named('words for coordinates', place('here'), /Feature 1/),
    named(
      'a declared encoding that there is not',
      '<?xml version="1.0" encoding="x-none"?><kml/>',
      /encoding/,
    ),
    named(
      'a ring of two positions',
      kml(
        '<Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 1,1</coordinates></LinearRing></outerBoundaryIs></Polygon>',
      ),
      /Feature 1/,
    ),
    named('another document', '<html><body/></html>', /web page/),
  ];
}

async function mapinfoFileCases(): Promise<Case[]> {
  const mif = filesOf(fixture('mif.zip'));
  return [
    bad(
      'MIF with rows missing',
      await zipOf({ ...mif, 'places.mid': '' }),
      'x.zip',
      /should have|could not be read/,
    ),
    bad(
      'MIF with a word for a number',
      await zipOf({
        ...mif,
        'places.mif': mif['places.mif']!.toString('latin1').replace(/\npoint \S+/i, '\nPoint north'),
      }),
      'x.zip',
      /line \d+: 'north' is no number/,
    ),
    bad(
      'MIF with decimal commas',
      await zipOf({
        ...mif,
        'places.mif': mif['places.mif']!.toString('latin1').replace(/\npoint \S+/i, '\nPoint 30,5'),
      }),
      'x.zip',
      /line \d+: '30,5' is no number/,
    ),
    bad(
      'a view of MapInfo alone',
      await zipOf({
        'v.tab': '!Table\n!Version 100\nOpen Table "t" Hide\nCreate View v As\nSelect * From t\n',
      }),
      'x.zip',
      /a view.*send the tables/,
    ),
    bad(
      'a table of MapInfo for an image',
      await zipOf({ 'r.tab': '!table\n!version 300\nDefinition Table\n  File "r.jpg"\n  Type "RASTER"\n' }),
      'x.zip',
      /an image.*send the tables/,
    ),
  ];
}

export async function vectorCases(): Promise<Case[]> {
  const gpkg = fixture('places.gpkg');
  const fgb = fixture('places.fgb');
  const lying = Buffer.from(fgb);
  lying.writeUInt32LE(0x7fffffff, 8);
  const dxf = fixture('shapes.dxf').toString('latin1');
  return [
    ...kmlCases(),
    ...(await mapinfoFileCases()),
    bad('VRT as .shp', vrt, 'x.shp', /OGRVRTDataSource/),
    bad('VRT as .csv', vrt, 'x.csv', /OGRVRTDataSource/),
    bad('VRT as .geojson', vrt, 'x.geojson', /OGRVRTDataSource/),
    bad('VRT in a zip', await zipOf({ 'x.shp': vrt }), 'x.zip', /no shp|OGRVRTDataSource/),
    bad('nothing as .shp', '', 'x.shp', /shp/),
    bad('GeoPackage cut off', gpkg.subarray(0, 40_000), 'x.gpkg', /could not be read/),
    bad('GeoPackage of its head alone', gpkg.subarray(0, 100), 'x.gpkg', /could not be read/),
    bad(
      'MIF with a line without end',
      `${filesOf(fixture('mif.zip'))['places.mif']!.toString('latin1')}\nPoint 1 2 ${' '.repeat(2_000_000)}`,
      'x.mif',
      /line \d+: it is too long/,
    ),
    bad(
      'SQLite that is no GeoPackage',
      Buffer.from(gpkg.toString('latin1').replaceAll('gpkg_contents', 'other_content'), 'latin1'),
      'x.gpkg',
      /required GeoPackage tables/,
    ),
    bad('FlatGeobuf cut off', fgb.subarray(0, 700), 'x.fgb', /could not be read|should have|cut off/),
    bad('FlatGeobuf that lies about its head', lying, 'x.fgb', /could not be read/),
    bad(
      'GPX with entities',
      laughs + fixture('track.gpx').toString().replace(/^.*\n/, ''),
      'x.gpx',
      /document type/,
    ),
    bad('GPX cut off', fixture('track.gpx').subarray(0, 300), 'x.gpx', /could not be read|cut off/),
    bad('DWG', 'AC1032xxxx', 'x.dwg', /DXF/),
    bad('binary DXF', 'AutoCAD Binary DXF\r\n\x1a\0', 'x.dxf', /Binary DXF/),
    bad('DXF cut off', dxf.slice(0, 180), 'x.dxf', /could not be read|cut off|should have/),
    bad('DXF with decimal commas', dxf.replace('37.1', '37,1'), 'x.dxf', /'37,1' is no number/),
    bad('DXF in metres, without srs', dxf.replaceAll('37.', '62000.'), 'x.dxf', /Feature \d.*range/),
    bad(
      'tar',
      Buffer.concat([Buffer.alloc(257, 'x'), Buffer.from('ustar\x0000'), Buffer.alloc(248)]),
      'x.tgz',
      /zip archive/,
    ),
    bad('PDF', '%PDF-1.7', 'x.shp', /PDF/),
    bad('a projection that there is not', fixture('places.kml'), 'x.kml', /srs/, 'srs=EPSG:123456'),
    bad(
      'a projection that reads a file',
      fixture('places.kml'),
      'x.kml',
      /srs/,
      `srs=${encodeURIComponent('+proj=longlat +nadgrids=/etc/passwd')}`,
    ),
    bad('an encoding that there is not', fixture('shp-utf8.zip'), 'x.zip', /encoding/, 'encoding=klingon'),
  ];
}
