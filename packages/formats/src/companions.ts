/** The files that may lie beside an image: its world file, its projection, its mask, its metadata. */
const besideImage = (extension: string, ...world: string[]): string[] => [
  ...world,
  'wld',
  'prj',
  `${extension}.msk`,
  `${extension}.aux.xml`,
  'aux.xml',
];

/**
 * Endings of the files that may lie beside the main file of a data set, by its extension. A program that a user gives the main
 * file sends them with it, in one archive.
 */
export const companions: Readonly<Record<string, readonly string[]>> = {
  shp: ['dbf', 'shx', 'prj', 'cpg', 'qpj', 'sbn', 'sbx', 'qix', 'shp.xml'],
  dbf: ['cpg'],
  tab: ['dat', 'map', 'id', 'ind'],
  mif: ['mid', 'prj'],
  sxf: ['rsc'],
  dxf: ['prj'],
  tif: besideImage('tif', 'tfw', 'tifw', 'tiffw'),
  tiff: besideImage('tiff', 'tfw', 'tifw', 'tiffw'),
  png: besideImage('png', 'pgw', 'pngw'),
  jpg: besideImage('jpg', 'jgw', 'jpgw', 'jpegw'),
  jpeg: besideImage('jpeg', 'jgw', 'jpgw', 'jpegw'),
};
