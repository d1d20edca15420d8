/* Elements of KML by their meaning to the reader (OGC 12-007r2; names without prefixes). */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Elements that contain positions, or geometries that do. */
export const geometryElements = words(
  'Point LineString LinearRing Polygon Track MultiGeometry MultiTrack MultiPoint MultiLineString MultiPolygon',
);

/** Elements for the presentation of a feature or geometry. */
export const lookElements = words(
  `visibility open balloonVisibility styleUrl Style StyleMap AbstractView LookAt Camera Region drawOrder extrude tessellate
  altitudeMode altitudeOffset interpolate angles`,
);

/** Elements of a Placemark with text content, by the name of the resulting property. */
export const textElements: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['description', 'description'],
  ['address', 'address'],
  ['phoneNumber', 'phoneNumber'],
  ['Snippet', 'snippet'],
  ['snippet', 'snippet'],
]);

/** Elements in which files write HTML directly, without marking it as text. */
export const markupElements = words('name description Snippet snippet text value SimpleData');

/** Elements that show something other than an object with geometry. */
export const otherFeatures = words('GroundOverlay ScreenOverlay PhotoOverlay NetworkLink Tour');

export const containers = words('kml Document Folder');

/** Elements that describe a container and are no features. */
export const containerElements = words(
  `${[...lookElements, ...textElements.keys(), ...containers].join(' ')} author link AddressDetails TimeStamp TimeSpan
  TimePrimitive Metadata ExtendedData Schema NetworkLinkControl Placemark`,
);
