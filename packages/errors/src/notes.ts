/**
 * Texts of the reports of imports: notes, and reasons why an object is refused. The interface answers them in English, and
 * the console recognizes them by their templates to show them in other languages.
 *
 * Placeholders: `{name}` any text, `{#name}` a whole number, `{=name}` a text of this catalogue, `{?name}` a text of this
 * catalogue or any other.
 */
export const noteTemplates = {
  // tables
  linesAboveHeader: '{#count} lines above the names of the columns were left out',
  onlyRowIsHeader: 'The only row was taken for the names of the columns. If it holds values, give header=0',
  otherSheets: "The sheet '{sheet}' was read, others were not: {others}. To read one of them, give sheet",
  severalLayers:
    'The file has {#count} layers, and all were read: {names}. To read one of them alone, give sheet',
  noSuchLayer: "The file has no layer '{name}'; it has {names}",
  leftOutProperties: 'Properties left out as the request says: {names}',

  // encodings
  encodingUndeclared:
    'The file does not say the encoding of its texts: by their letters {encoding} was taken ({=certainty}). If that is wrong, give encoding',
  encodingAgainst:
    'The file says that its texts are in {declared}: by their letters {encoding} was taken ({=certainty}). If that is wrong, give encoding',
  encodingConfirmed:
    'The file says that its texts are in {encoding}; by their letters that is {=certainty}. If that is wrong, give encoding',
  certain: 'certain',
  likely: 'likely',
  uncertain: 'uncertain',
  orElse: '{=certainty}, else {other}',

  // own exports
  valuesRestored: '{#count} values that the format changes were put back from {file}',
  valuesChanged:
    '{#count} values are others than the export wrote: they were taken as they are, not from {file} ({values})',

  // geometries and projections
  arcsAsLines: 'Arcs of circles were stored as lines with a position every 4 degrees',
  positionsMoved:
    '{#count} features had positions a little beyond 180 or 90 degrees, as by rounding: these were taken to the edge',
  noProjection: "'{name}' names no projection: longitude and latitude are assumed",
  noPrj: "'{name}' comes without .prj: longitude and latitude are assumed",
  datumUnknown:
    'The datum of the projection ({srs}) is not known: its positions were not shifted to WGS 84, and may lie some hundred metres aside; give srs',

  // parts of files
  noAttributes: "'{name}' comes without .{extension}: its objects have no attributes",
  noShapes: "'{name}' comes without .shp: its objects have a geometry only where columns hold it",
  fileNotRead: "'{name}': not read, left out",
  filesNotRead: '{#count} files of the archive were not read: {names}',
  cellErrors: '{#count} cells hold an error of a formula and no value: they were left empty',
  tabLeftOut: "'{name}' is {=kind}: it was left out",
  tabView: 'a view, which shows rows of other tables',
  tabSeamless: 'a seamless table, which joins other tables',
  tabImage: 'the place of an image',
  tabElsewhere: 'a table of the type {type}, whose rows lie elsewhere',
  featureCount: "'{name}' tells {#told} features, but has {#count}",
  otherValuesOfPoints: 'Of the {#count} {=points} the places and heights were kept, other values left out',
  routePoints: 'route points',
  trackPoints: 'track points',
  binaryColumns: "{#count} columns of binary data in '{name}' were left out",
  memoColumns: "{#count} columns of memos or binary data in '{name}' were left out",
  measuresLeftOut: "The measures (M) of positions in '{name}' were left out",
  measuresOfShapes: 'The measures (M) of its positions were left out',
  textObjects: "{#count} objects of '{name}' are texts: their words and size were left out",
  geometriesUnreadable: "{#count} geometries in '{name}' could not be read: their objects have none",
  dbfCount: 'The head of the .dbf tells {#told} records; {#present} were found and read',
  dbfTooShort: 'The .dbf has {#present} records, the .shp {#shapes}: {#missing} objects have no attributes',
  dbfTooLong: '{#count} records of the .dbf have no shape in the .shp, and were left out',
  shxBeyond: '{#count} entries of the .shx point beyond the end of the .shp',
  shpUnused: '{#count} bytes of the .shp belong to none of its records, by the .shx',

  // images
  boxTaken: 'raster_bbox was taken, not the place that the image says',
  imageWithoutProjection: 'The image names no projection: longitude and latitude are assumed',
  prjNotUnderstood: 'The projection in the .prj is not understood',
  firstImage: 'The file has {#count} images: the first was taken',
  fourthBand: 'The fourth band is no alpha: it is not drawn',
  valuesScaled: 'The values are scaled as the file says: × {scale} + {offset}',
  maskLeftOut: 'The file named as its mask (.msk) is no TIFF: left out',
  colorsScaled: 'The colours of 16 bits were scaled to 8',

  // remarks: contents that are stored otherwise than in the file
  remark: '{#count} × {?what}: {=becomes}',
  remarkOnFeatures: '{#count} × {?what} (feature {features}): {=becomes}',
  otherThings: 'other things',
  lineOfOnePosition: 'line of one position',
  positionTwice: 'stored with that position twice',
  shortRing: 'ring of fewer than four positions',
  lastPositionAgain: 'stored with its last one again',
  measuresOfPositions: 'measures (M) of positions',
  misdirectedRings: 'area with rings in the wrong direction',
  ringsByPlace: 'rings that lie within others were taken for holes',
  wideRow: 'row with more cells than the header',
  numberedColumns: 'kept in columns named by their number',
  deletedRecord: 'record marked as deleted',
  noObject: 'no object, left out',
  pointWithoutNumbers: 'point whose position is no number',
  withoutGeometry: 'stored without geometry',
  arcOfCircle: 'arc of a circle',
  storedAsLine: 'stored as a line',
  geometryInProperty: "geometry in the property '{name}'",
  storedAsGeometry: 'stored as the geometry',
  memberOfFeature: "member '{name}' of a feature",
  notRead: 'not read, left out',
  howShown: 'how it is shown, left out',
  elementId: 'id of an element',
  trackWithMoments: 'track with moments',
  firstAndLast: 'the first and the last are begin and end, the others are left out',
  valueWithoutName: 'value without a name',
  nameTwice: 'value under a name that another has',
  lastKept: 'the last one is kept',
  longPosition: 'position of more than three numbers',
  firstThreeKept: 'the first three are kept',

  // reasons why an object is refused, and where it is
  ofFeature: 'Feature {#feature}: {=reason}',
  ofLine: 'Feature {#feature} (line {#line}): {=reason}',
  ofGeometry: 'geom: {=reason}',
  ofColumn: "The column '{column}' {=reason}",
  ofText: "{=reason}, not '{text}'",
  ofProperty: '{property}: {=reason}',
  idTwice: 'the id {#id} stands at feature {#first} already',
  keyTwice: '{key} = {value} stands at feature {#first} already',
  keyOfSeveral: '{#count} objects have {key} = {value}',
  mustHaveValue: "the column '{column}' must have a value",
  noObjectId: 'svc_id is not an id of an object, or differs from the id',
  quoteInside: 'behind a closing quotation mark stands {found}',

  // values
  takesNumber: 'takes a number below 2^53',
  takesString: 'takes a text of at most {#count} characters without NUL',
  takesText: 'takes a text without NUL',
  takesDatetime: 'takes ISO 8601 (2024-05-01T12:00:00Z) or milliseconds since 1970',
  takesBool: 'takes true or false',
  takesFiles: 'takes the ids of files of this object, separated by commas',
  takesJson: 'takes JSON without NUL and numbers from 1.8e308 on, of at most 100,000 values and 200 deep',
  takesNothing: 'takes no value here',
  takesLanguages: 'takes values by language code',
  numberTooLarge: 'a number is too large',
  textWithNul: 'a text holds the character 0',
  textWithSurrogate: 'a text holds half a surrogate pair',
  textNotInEncoding: 'a text is not valid in the encoding {encoding}; give encoding',
  noNumber: "'{text}' is no number",
  noJson: "'{text}' is no JSON",
  otherDecimal: "'{text}' has another sign before its fraction than the numbers before",
  ambiguousNumber: "'{text}' may be two different numbers: give decimal",
  otherDateOrder: "'{text}' has day and month in another order than the dates before",
  ambiguousDate: "'{text}' may be two different days: write dates as 2024-12-31 or 31.12.2024",

  // geometries that are not understood, or not valid
  noGeometryObject: 'a GeoJSON geometry is an object',
  noGeometryType: 'the type is not that of a GeoJSON geometry',
  collectionsTooDeep: 'collections lie within each other more than {#depth} deep',
  nestedTooDeep: 'collections lie too deep within each other',
  noArray: '{=what} are not an array',
  emptyArray: '{=what} are empty',
  theGeometries: 'the geometries',
  theCoordinates: 'the coordinates',
  noPosition: 'a position is an array of 2 or 3 numbers',
  positionNotFinite: 'a position holds something that is not a finite number',
  tooManyPositions: 'more than {#count} positions',
  positionBeyond: 'the position {x},{y} lies beyond the range of coordinates (longitude first)',
  positionBeyondDegrees:
    'the position {x},{y} lies beyond the range of coordinates (longitude first); give srs where they are no degrees',
  positionWithoutPlace: 'the position {x},{y} has no place in {srs}',
  shortLine: 'a line has fewer than two positions',
  ringTooShort: 'a ring has fewer than four positions',
  openRing: 'a ring is not closed: its first and last positions differ',
  geoJsonNotJson: 'the GeoJSON is not valid JSON',
  geometryCutOff: 'the geometry is cut off',
  geometryNotTaken: 'a geometry of the kind {#kind} is not taken',
  wrongMember: 'a {found} lies where a {wanted} belongs',
  wktCutOff: 'the well-known text is cut off',
  wktNotUnderstood: 'the well-known text is not understood from {text} on (character {#character})',
  wktPoint: 'a point has more than one position',
  wktPosition: 'a position has more than four numbers',
  incompleteArc: 'a circular string has {#count} positions, but arcs need 3, 5, 7 …',
  otherProjection: 'its projection {srs} is not that of the rows before, {before}: give srs',
  shapeCutOff: 'the shape is cut off',
  shapeUnknown: 'a shape of the type {#type} is not known',
  shapeParts: 'the parts of the shape overlap or lie beyond it',
  kmlPoint: 'a Point has more than one position',
  kmlPolygon: 'a Polygon has no outer boundary',
  noKmlPosition: "'{text}' is no position",
  sxfPositions: 'there are more positions than the record has room for',
  sxfCoordinate: 'a coordinate is no number',
  sxfLongValue: 'the value {code} is longer than the record',
  sxfValueType: 'a value has the unknown type {type}',
  sxfValue: 'a value is no number',
  sxfKind: 'the object is of the unknown kind {kind}',
  coordinateMissing: 'one of the two coordinates is missing',
  noCoordinatePair: "'{text}' is no pair of coordinates",
  coordinateTwice: "'{text}' has one coordinate twice",
  noCoordinate: "'{text}' is no coordinate",
  latitudeMisplaced: "'{text}' is a latitude in the column of the other",
  longitudeMisplaced: "'{text}' is a longitude in the column of the other",

  // features of GeoJSON, and their properties
  ofCollection: 'The collection: {=reason}',
  ofCrs: 'The member crs: {=reason}',
  noFeatureType: "the type is not 'Feature'",
  noProperties: 'properties is not an object',
  noUtf8: 'not valid UTF-8 at byte {#byte}',
  invalidJson: 'not valid JSON at byte {#byte}',
  tooManyProperties: 'the file has more than {#count} different properties',
  longPropertyName: 'the name of a property is too long',
  sameColumn: "the properties '{first}' and '{second}' both belong into the column {column}",

  // images that are refused
  noImage:
    'The file is no image that is read: a layer of the type raster takes TIFF (GeoTIFF), PNG and JPEG, alone or in a zip archive',
  noImageInArchive: 'The archive holds no image that is read (tif, png, jpg)',
  severalImages: 'The archive holds {#count} images: a layer has one',
  imageSize: 'The image has {#width} × {#height} pixels',
  imageTooLarge:
    'The image has {#width} × {#height} pixels; at most {#pixels} in all and {#side} a side are allowed',
  imageTooLargeThere:
    'The image would have {#width} × {#height} pixels in EPSG:3857, more than the settings allow',
  tiffCompression: 'The compression {name} of TIFF is not read: save the file with DEFLATE or LZW',
  imageInCmyk: 'The image is in CMYK: save it in RGB',
  imageInLab: 'The image is in L*a*b*: save it in RGB',
  complexNumbers: 'The image has complex numbers, which are not read',
  pngDamaged: 'The PNG is damaged',
  jpegDamaged: 'The JPEG is damaged: it has no frame',
  jpegBits: 'The JPEG has {#bits} bits a value; 8 are read',
  maskSize: 'The mask (.msk) has another size than the image',
  maskCompression: 'The compression of the mask (.msk) is not read: save it with DEFLATE or LZW',
  noBands: 'The image has no bands',
  bandTypes: 'The bands of the image are of different types: {types}',
  bandCount:
    'The image has {#count} bands: images of 1 band (values, gray, palette), 3 bands (RGB) and 4 (with alpha) are read',
  bandType:
    'The image has {#count} bands of the type {type}: of several bands those of 8 and 16 bits are read',
  imageType: 'An image of the type {type} is not read',
  worldFile: 'The world file does not have six numbers that say where the image lies',
  noImageProjection: 'The image says where it lies, but not in which projection; give srs',
  imageOnHeights:
    'The place of the image depends on the heights of the ground (rational polynomials, RPC): rectify it, as by gdalwarp -rpc, or give raster_bbox',
  noGeoreference: 'The raster has no georeference; give raster_bbox',
  imageWithoutPlace: "'{name}' has no place on the map in the projection and at the place that are given",

  // files that are refused
  emptyFile: 'The file is empty',
  endsTooEarly: 'The file ends too early, after {#count} bytes',
  webPage: 'This is a web page (HTML), which holds no objects to import',
  esriJson: 'This is JSON of Esri (ArcGIS), which is not imported: save it as GeoJSON',
  unknownContent: 'The content of the file is not of a format that is read ({kinds})',
  noContent: "'{name}' is no {kind} by its content",
  namedAs: 'The file is named as {kind}, but is none by its content',
  namedAsDbf:
    'The file is named as dbf, but is no table of dBase III to V or FoxPro: save it as one, or as csv',
  noTable: 'No table was recognized in the text: a csv file has rows of cells',
  openQuote: 'Line {#line}: a quotation mark is not closed',
  shapefileInParts:
    'A shapefile consists of several files: send .shp, .shx, .dbf and .prj in one zip archive',
  mapInfoInParts:
    'A MapInfo table consists of several files: send .tab, .dat, .map and .id in one zip archive',
  noZip: 'The archive is not a valid zip, or is damaged',
  zipCutOff: 'The archive is not a valid zip, or is cut off',
  archiveOfNothing:
    'The archive holds nothing that is imported ({kinds}); archives within it ({archives}) are not opened',
  severalFormats: 'The archive holds data of several formats ({kinds}): import them one by one',
  partMissing: "The archive has '{name}' but not the .{parts} beside it",
  archiveEncrypted: "The archive is encrypted: '{name}'",
  archiveTooLarge: "The archive unpacks to more than is allowed ('{name}')",
  projectionNotUnderstood: "'{name}' names a projection that is not understood ({projection}): give srs",
  planeCoordinates: "'{name}' has coordinates of a plane that is nowhere on the earth (non-earth): give srs",
  projectionUnknown: 'The projection of the file is not known ({srs}): give srs',
  shpDamaged: 'The .shp is cut off or damaged',
  dbfDamaged: 'The .dbf is cut off or damaged',
  dbfCutOff: 'The .dbf should have {#told} records, but ends after {#present}: it is cut off or damaged',
  layerCutOff: "'{name}' should have {#told} features, but {#count} could be read: it is cut off or damaged",
  kmlCutOff: 'The KML is cut off',
  dxfCutOff: "'{name}' does not end as a DXF: it is cut off or damaged",
  sxfWithoutProjection: 'The SXF does not tell a projection that is known: give srs',
} as const;

export type NoteKey = keyof typeof noteTemplates;

type PlaceholdersIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholdersIn<Rest>
  : never;

type Bare<Name extends string> = Name extends `${'#' | '=' | '?'}${infer Rest}` ? Rest : Name;

/** The values of a template, by the names of its placeholders. */
export type NoteValues<Key extends NoteKey> = {
  [Name in PlaceholdersIn<(typeof noteTemplates)[Key]> as Bare<Name>]: Name extends `#${string}`
    ? number
    : string | number;
};

/** Matches a placeholder of a template: its kind, and its name. */
export const notePlaceholder = /\{([#=?]?)(\w+)\}/g;

/** A text of the catalogue with its values. */
export function noteOf<Key extends NoteKey>(
  key: Key,
  ...[values]: keyof NoteValues<Key> extends never ? [] : [NoteValues<Key>]
): string {
  const given = values as Readonly<Record<string, string | number>> | undefined;
  return noteTemplates[key].replace(notePlaceholder, (_, _kind: string, name: string) =>
    String(given?.[name]),
  );
}
