import type { AnswerOf } from './calls.js';
import type { operations } from './generated/schema.js';

/** Names of what the functions send and answer; `AnswerOf` names the rest. */

type InMap = '/api/2.8/{project}/{map}';
type InLayer = `${InMap}/layers/{layer}`;

export type MapDetails = AnswerOf<`${InMap}/`, 'get'>;
export type LayerDetails = AnswerOf<`${InLayer}/`, 'get'>;
export type ColumnDetails = AnswerOf<`${InLayer}/structure/`, 'get'>[number];
export type ObjectDetails = AnswerOf<`${InLayer}/objects/`, 'get'>[number];
export type FileDetails = AnswerOf<`${InLayer}/objects/{object}/files/`, 'post'>;
export type JobDetails = AnswerOf<'/api/2.8/{project}/jobs/{job}/', 'get'>;

/** Which objects a list has, and what of them. */
export type ObjectSelection = Omit<
  QueryOf<'getMapLayerObjects'>,
  'limit' | 'offset' | 'cursor' | 'filter'
> & {
  /** CQL2 over the columns: JSON, or text. */
  filter?: object | string;
};

/** How a file is read. */
export type ImportSettings = Omit<QueryOf<'postMapLayerImport'>, 'async' | 'f'>;

/** How a file is written. */
export type ExportSettings = Omit<QueryOf<'getMapLayerExport'>, 'async' | 'f'> & { format: string };

type QueryOf<O extends keyof operations> = NonNullable<
  operations[O] extends { parameters: { query?: infer Q } } ? Q : never
>;

/** The layer that a call is for. */
export interface LayerOfMap {
  map: string;
  layer: string;
}
