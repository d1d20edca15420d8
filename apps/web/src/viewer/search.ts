import { address } from '../common/base.js';
import type { Extent } from '../common/types.js';
import type { MapAddress } from './types.js';

/** A search result, as the service sends it. */
export type SearchResult = LayerResult | ObjectResult;

export interface LayerResult {
  type: 'layer';
  id: number;
  code: string;
  name: string;
}

export interface ObjectResult {
  type: 'object';
  svc_id: number;
  /** Code of the layer. */
  layer: string;
  layer_name: string;
  /** Value of the name column: of any type, null where the object has none. */
  name: unknown;
  name_column: string;
  search_column: string;
  /** The value that matches the phrase. */
  value: string;
  /** Values of the searched columns, by code. */
  values: Readonly<Record<string, unknown>>;
  bbox: Extent | null;
}

const maxResults = 10;

export const searchAddress = ({ project, map }: MapAddress, phrase: string, language: string): string =>
  address(['api', '2.8', project, map, 'search'], {
    phrase,
    lang: language,
    lng: language,
    limit: maxResults,
    f: 'fjson',
    returnValues: 1,
    returnBbox: 1,
  });
