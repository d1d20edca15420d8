/** Where the pictures of an external layer come from, as the forms have it. */
export interface ExternalForm {
  type: 'xyz' | 'tms' | 'wms';
  url: string;
  /** Of a WMS. */
  layers: string;
  maxZoom: string;
  attribution: string;
  /** Whether the service draws the layer. */
  isDrawn: boolean;
}

export const blankSource: ExternalForm = {
  ...{ type: 'xyz', url: '', layers: '', maxZoom: '', attribution: '', isDrawn: true },
};

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** The form of the settings that are stored. */
export const formOf = (json: Readonly<Record<string, unknown>>): ExternalForm => ({
  type: json.type === 'tms' || json.type === 'wms' ? json.type : 'xyz',
  url: text(json.url),
  layers: text(json.layers),
  maxZoom: text(json.maxZoom),
  attribution: text(json.attribution),
  isDrawn: json.fetch !== 'client',
});

/** The settings of a form. What the form does not show stays as it is in `json`. */
export function settingsOf(
  { type, url, layers, maxZoom, attribution, isDrawn }: ExternalForm,
  json: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const { layers: _layers, maxZoom: _zoom, attribution: _text, ...others } = json;
  return {
    ...others,
    type,
    url: url.trim(),
    ...(type === 'wms' ? { layers: layers.trim() } : {}),
    ...(maxZoom ? { maxZoom: Number(maxZoom) } : {}),
    ...(attribution.trim() ? { attribution: attribution.trim() } : {}),
    fetch: isDrawn ? 'server' : 'client',
  };
}
