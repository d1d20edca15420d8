import { writeZip } from './zip.js';

/** One point with the text `one` in the column `title` in each vector format: longitude 20, latitude 10. */
const [x, y, title] = [20, 10, 'one'];

export const kml = `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><ExtendedData><Data name="title"><value>${title}</value></Data></ExtendedData>
<Point><coordinates>${x},${y}</coordinates></Point></Placemark></Document></kml>`;

export const kmz = writeZip({ 'doc.kml': kml });

export const mif = writeZip({
  'a.mif': `Version 300\nCharset "Neutral"\nDelimiter ","\nCoordSys Earth Projection 1, 104\nColumns 1\n  title Char(20)\nData\n\nPoint ${x} ${y}\n`,
  'a.mid': `"${title}"\n`,
});

export const dxf = `0\nSECTION\n2\nENTITIES\n0\nPOINT\n8\n${title}\n10\n${x}\n20\n${y}\n30\n0\n0\nENDSEC\n0\nEOF\n`;

/** The header of a shapefile's `.shp` and `.shx` (ESRI Shapefile Technical Description, 1998), with lengths in 16-bit words. */
function shapeHeader(words: number): Buffer {
  const header = Buffer.alloc(100);
  header.writeInt32BE(9994, 0);
  header.writeInt32BE(words, 24);
  header.writeInt32LE(1000, 28);
  header.writeInt32LE(1, 32);
  for (const [at, value] of [x, y, x, y].entries()) header.writeDoubleLE(value, 36 + 8 * at);
  return header;
}

function shapePoint(): Buffer {
  const record = Buffer.alloc(28);
  record.writeInt32BE(1, 0);
  record.writeInt32BE(10, 4);
  record.writeInt32LE(1, 8);
  record.writeDoubleLE(x, 12);
  record.writeDoubleLE(y, 20);
  return record;
}

/** A dBASE III table with one record of one column of 20 characters. */
function dbase(): Buffer {
  const header = Buffer.alloc(65);
  header.set([3, 126, 1, 1]);
  header.writeUInt32LE(1, 4);
  header.writeUInt16LE(65, 8);
  header.writeUInt16LE(21, 10);
  header.write('title', 32, 'latin1');
  header.write('C', 43, 'latin1');
  header[48] = 20;
  header[64] = 0x0d;
  return Buffer.concat([header, Buffer.from(` ${title.padEnd(20)}\x1a`)]);
}

const shapeIndex = Buffer.from([0, 0, 0, 50, 0, 0, 0, 10]);
const wgs84 =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]]';

export const shp = writeZip({
  'a.shp': Buffer.concat([shapeHeader(64), shapePoint()]),
  'a.shx': Buffer.concat([shapeHeader(54), shapeIndex]),
  'a.dbf': dbase(),
  'a.prj': wgs84,
});
