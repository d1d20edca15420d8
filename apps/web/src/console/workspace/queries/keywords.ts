import type { Completion } from '@codemirror/autocomplete';

/** The keywords of the queries that people write. PostgreSQL has 800 others, such as `open` and `owner`. */
const usual: ReadonlySet<string> = new Set(
  `select distinct from where and or not in is null between like ilike exists as join left right full inner cross
   lateral on using group by having order asc desc nulls first last limit offset union intersect except all with
   case when then else end cast coalesce nullif count sum avg min max filter over partition true false`.split(
    /\s+/,
  ),
);

/** A keyword as a suggestion: after the layers and columns, those that queries rarely need last. */
export const keywordCompletion = (label: string, type: string): Completion => ({
  label,
  type,
  boost: usual.has(label) ? -1 : -50,
});
