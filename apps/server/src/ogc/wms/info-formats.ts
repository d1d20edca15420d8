/** The formats of GetFeatureInfo. */
export const infoTypes = {
  text: 'text/plain',
  html: 'text/html',
  json: 'application/json',
} as const;

export type InfoFormat = keyof typeof infoTypes;
