import type { TraitCase } from './case.js';

/*
 * Traits of KML that are met in the world. GDAL has names and defaults of its own for their values, so that only geometries are
 * compared, and of some files it reads less.
 */

const named = (what: string, content: string, rest: Partial<TraitCase>): TraitCase => ({
  what,
  files: { 'a.kml': content },
  valuesDiffer: true,
  ...rest,
});

const documentOf = (content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><name>All</name>${content}</Document></kml>`;

const placed = (content: string): string =>
  `<Placemark>${content}<Point><coordinates>1,2,0</coordinates></Point></Placemark>`;

const ofTwo = '<coordinates>1,2 3,4</coordinates>';
const moment = (second: number): string => `<when>2010-05-28T02:02:0${second}Z</when>`;

export const kmlCases: readonly TraitCase[] = [
  named(
    'elements that a schema makes Placemarks',
    `<kml xmlns="http://earth.google.com/kml/2.0"><Document>
<Schema parent="Placemark" name="Town"><SimpleField type="wstring" name="NAME"/><SimpleField type="int" name="POP"/></Schema>
<Schema><parent>Town</parent><name>Port</name><SimpleField type="bool" name="OPEN"/></Schema>
<Folder><name>North</name><Town><name>a</name><NAME>Alpha</NAME><POP>12</POP><Point><coordinates>1,2,0</coordinates></Point></Town></Folder>
<Port><name>b</name><OPEN>1</OPEN><LineString>${ofTwo}</LineString></Port>
</Document></kml>`,
    {
      nativeDiffers: true,
      expected: 2,
      values: [
        { name: 'a', NAME: 'Alpha', POP: 12, folder: 'North' },
        { name: 'b', OPEN: true },
      ],
    },
  ),
  named(
    'elements that no schema explains',
    documentOf(`<Thing><Point><coordinates>1,2</coordinates></Point></Thing>${placed('')}`),
    { values: [{}], notes: /1 × Thing: not read/ },
  ),
  named(
    'HTML in descriptions, escaped or not',
    documentOf(
      [
        '<description>One <b class="x">two</b><br/>three &amp; <a href="?a=1&amp;b">four</a></description>',
        '<description>&lt;b&gt;x&lt;/b&gt;</description>',
        '<description><![CDATA[<b>x</b> & y]]></description>',
        '<Snippet>short</Snippet><ExtendedData><Data name="d"><value>a <i>b</i></value></Data></ExtendedData>',
      ]
        .map(placed)
        .join(''),
    ),
    {
      values: [
        { description: 'One <b class="x">two</b><br/>three & <a href="?a=1&b">four</a>' },
        { description: '<b>x</b>' },
        { description: '<b>x</b> & y' },
        { snippet: 'short', d: 'a <i>b</i>' },
      ],
    },
  ),
  named(
    'a value with the name of an element, equal and other',
    documentOf(
      ['a', 'b']
        .map((value) =>
          placed(
            `<name>a</name><ExtendedData><Data name="name"><value>${value}</value></Data></ExtendedData>`,
          ),
        )
        .join(''),
    ),
    {
      values: [{ name: 'a' }, { name: 'b' }],
      notes: /^1 × value under a name that another has \(feature 2\): the last one is kept$/,
    },
  ),
  named(
    'geometries that are not read',
    documentOf(
      `<Placemark><Model><Location/></Model></Placemark>
<Placemark><MultiGeometry><Point><coordinates>1,2</coordinates></Point><Model/></MultiGeometry></Placemark>`,
    ),
    {
      // GDAL ends with a fault.
      nativeDiffers: true,
      expected: 2,
      values: [{}, {}],
      notes: /2 × Model \(feature 1, 2\): not read, left out/,
    },
  ),
  named(
    'tracks',
    documentOf(
      `<Placemark><gx:Track>${moment(1)}${moment(2)}${moment(3)}<gx:coord>1 2 3</gx:coord><gx:coord>4 5 6</gx:coord><gx:coord>5 5 6</gx:coord></gx:Track></Placemark>`,
    ),
    {
      values: [{ begin: '2010-05-28T02:02:01.000Z', end: '2010-05-28T02:02:03.000Z' }],
      notes: /1 × track with moments \(feature 1\)/,
    },
  ),
  named(
    'several tracks in one',
    documentOf(
      `<Placemark><gx:MultiTrack><gx:interpolate>0</gx:interpolate><gx:Track>${moment(1)}<gx:coord>1 2 3</gx:coord><gx:coord>4 5 6</gx:coord></gx:Track><gx:Track><gx:coord>7 8 9</gx:coord><gx:coord>8 8 9</gx:coord></gx:Track></gx:MultiTrack></Placemark>`,
    ),
    { nativeDiffers: true, expected: 1, notes: /interpolate/ },
  ),
  named(
    'lines of one position',
    documentOf('<Placemark><LineString><coordinates>1,2,3</coordinates></LineString></Placemark>'),
    {
      nativeDiffers: true,
      expected: 1,
      notes: /1 × line of one position \(feature 1\): stored with that position twice/,
    },
  ),
  named(
    'positions of more than three numbers',
    documentOf(
      '<Placemark><LineString><coordinates>1,2,3,4 5,6,7,8,9</coordinates></LineString></Placemark><Placemark><Point><coordinates>1,2,3,</coordinates></Point></Placemark>',
    ),
    {
      nativeDiffers: true,
      expected: 2,
      notes: /2 × position of more than three numbers \(feature 1.*\): the first three are kept/,
    },
  ),
  named(
    'what is no object, and how objects are shown',
    documentOf(
      `<Style id="s"/><NetworkLink/><GroundOverlay/><ScreenOverlay/><gx:Tour/><LookAt/><open>1</open>${placed('<styleUrl>#s</styleUrl><visibility>0</visibility><atom:link xmlns:atom="http://www.w3.org/2005/Atom" href="x"/>')}`,
    ),
    {
      // GDAL makes an object of an overlay.
      nativeDiffers: true,
      expected: 1,
      values: [{}],
      notes:
        /(?=[\s\S]*1 × NetworkLink: no object)(?=[\s\S]*GroundOverlay)(?=[\s\S]*ScreenOverlay)(?=[\s\S]*Tour)(?=[\s\S]*styleUrl \(feature 1\))(?=[\s\S]*visibility)(?=[\s\S]*link)/,
    },
  ),
  named(
    'values twice, and values along a track',
    documentOf(
      `<Placemark><ExtendedData><Data name="a"><value>1</value></Data><Data name="a"><value>2</value></Data><SchemaData schemaUrl="#none"><SimpleData name="q">7</SimpleData><gx:SimpleArrayData name="heart"><gx:value>86</gx:value></gx:SimpleArrayData></SchemaData></ExtendedData><Point><coordinates>1,2</coordinates></Point></Placemark>`,
    ),
    {
      values: [{ a: '2', q: '7' }],
      notes: /(?=[\s\S]*name that another has)(?=[\s\S]*SimpleArrayData)/,
    },
  ),
  named(
    'geometries of several parts under the names of other formats',
    documentOf(
      `<Placemark><MultiPoint><Point><coordinates>1,2</coordinates></Point><Point><coordinates>3,4</coordinates></Point></MultiPoint></Placemark><Placemark><MultiLineString><LineString>${ofTwo}</LineString><LineString><coordinates>5,6 7,8</coordinates></LineString></MultiLineString></Placemark>`,
    ),
    { nativeDiffers: true, expected: 2, geometries: { MultiPoint: 1, MultiLineString: 1 } },
  ),
  named('empty geometries', documentOf('<Placemark><Point><coordinates/></Point></Placemark>'), {
    nativeDiffers: true,
    expected: 1,
  }),
  named(
    'an empty point as GDAL writes it',
    documentOf('<Placemark><Point><coordinates>nan,nan,0</coordinates></Point></Placemark>'),
    { nativeDiffers: true, expected: 1, geometries: { none: 1 }, notes: /point whose position is no number/ },
  ),
];
