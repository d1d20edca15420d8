/*
 * Elements of KML by what they mean to a reader (OGC 12-007r2; names without prefixes).
 */

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Elements that hold positions, or geometries that do. */
export const geometryElements = words('Point LineString LinearRing Polygon Track MultiGeometry MultiTrack');

/** Elements that tell how a feature or a geometry is shown. */
export const lookElements = words(
  `visibility open balloonVisibility styleUrl Style StyleMap AbstractView LookAt Camera Region drawOrder extrude tessellate
  altitudeMode altitudeOffset interpolate angles`,
);

/** Elements of a Placemark that are a text each, by the name of the property that they become. */
export const textElements: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['description', 'description'],
  ['address', 'address'],
  ['phoneNumber', 'phoneNumber'],
  ['Snippet', 'snippet'],
  ['snippet', 'snippet'],
]);

/** Elements in which files write HTML as it is, without marking it as text. */
export const markupElements = words('name description Snippet snippet text value SimpleData');

/** Elements that show something which is no object with geometry. */
export const otherFeatures = words('GroundOverlay ScreenOverlay PhotoOverlay NetworkLink Tour');

export const containers = words('kml Document Folder');

/** Elements of a container that tell of it, and are no features. */
export const containerElements = words(
  `${[...lookElements, ...textElements.keys(), ...containers].join(' ')} author link AddressDetails TimeStamp TimeSpan
  TimePrimitive Metadata ExtendedData Schema NetworkLinkControl Placemark`,
);
