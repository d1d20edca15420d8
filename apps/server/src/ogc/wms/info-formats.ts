/** The formats of GetFeatureInfo. */
export const infoTypes = {
  text: 'text/plain',
  html: 'text/html',
  json: 'application/json',
  gml: 'application/vnd.ogc.gml',
} as const;

export type InfoFormat = keyof typeof infoTypes;
