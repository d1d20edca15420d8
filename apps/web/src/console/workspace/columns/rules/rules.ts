import type { AnswerOf, CartularyClient } from '@cartulary/client';
import type { WorkspaceItem } from '../../useWorkspace.js';
import { isScalar, type StoredColumn } from '../columns.js';

const constraintsPath = '/api/2.8/{project}/{map}/layers/{layer}/constraints/';
const strictPath = '/api/2.8/{project}/{map}/dictionaries/{layer}/';
const hintsPath = '/api/2.8/{project}/{map}/dictionaries_f/{layer}/';

/** How what is typed is compared with the values of a dictionary that suggests. */
export const matchTypes = ['equal', 'prefix', 'contains'] as const;
export type MatchType = (typeof matchTypes)[number];

/** The column whose values are allowed or suggested. */
export interface DictionaryPlace {
  map: string;
  layer: string;
  column: string;
}

/** What the values of columns must be, or what is suggested for them. */
export interface Rule {
  kind: RuleKind;
  /** Name of the constraint; that of suggestions is the column. */
  name: string;
  /** Codes. */
  columns: readonly string[];
  /** Allowed values, or the least and the greatest. */
  definition: readonly unknown[];
  dictionary: DictionaryPlace | null;
  match: MatchType;
  /** Between several values of a cell; empty: one value. */
  delimiter: string;
  /** Whether stored values keep it, as far as is known. */
  isKept: boolean;
}

export type RuleKind = 'unique' | 'check' | 'range' | 'dictionary' | 'hint';

/** The rules that a project must be administered for. */
export const ofAdministrators: ReadonlySet<RuleKind> = new Set(['unique', 'check', 'range']);

/** Whether the values of a column can have rules. */
export const canHaveRules = (column: Pick<StoredColumn, 'code' | 'type'>): boolean =>
  column.code !== 'svc_id' && isScalar(column);

/** The rules of a layer, and whether the user may see and make those of administrators. */
export interface Rules {
  list: readonly Rule[];
  isAdministrator: boolean;
}

const blank = {
  columns: [],
  definition: [],
  dictionary: null,
  match: 'equal',
  delimiter: '',
  isKept: true,
} as const;

interface LayerPlace {
  map: string;
  layer: string;
}

/** Reads the rules of a layer that the user may see. */
export async function readRules(
  client: CartularyClient,
  path: LayerPlace,
  signal: AbortSignal,
): Promise<Rules> {
  const [{ right }, strict, hints] = await Promise.all([
    client.get('/api/2.8/{project}/rights/explain/', { params: { query: {} }, signal }),
    client.get(strictPath, { params: { path }, signal }),
    client.get(hintsPath, { params: { path }, signal }),
  ]);
  const isAdministrator = right === 'administer';
  const constraints = isAdministrator ? await client.get(constraintsPath, { params: { path }, signal }) : [];
  const own = constraints
    .filter(({ type }) => type !== 'dictionary')
    .map(({ type, name, columns, definition, validated }): Rule => {
      return { ...blank, kind: type as RuleKind, name, columns, definition, isKept: validated };
    });
  const links = strict.map((link): Rule => {
    const known = constraints.find(({ name }) => name === link.constraint_name);
    return {
      ...linkOf(link),
      kind: 'dictionary',
      name: link.constraint_name,
      isKept: known?.validated ?? true,
    };
  });
  const suggestions = hints.map(
    (link): Rule => ({
      ...linkOf(link),
      kind: 'hint',
      name: link.column_code,
      match: link.match_type,
      delimiter: link.multi_delimiter,
    }),
  );
  return { list: [...own, ...links, ...suggestions], isAdministrator };
}

const linkOf = (
  link: AnswerOf<typeof strictPath, 'get'>[number] | AnswerOf<typeof hintsPath, 'get'>[number],
) => ({
  ...blank,
  columns: [link.column_code],
  dictionary: { map: link.dict_map_code, layer: link.dict_layer_code, column: link.dict_column_code },
});

const codesOf = ({ map, layer, column }: DictionaryPlace) => ({
  dict_map_code: map,
  dict_layer_code: layer,
  dict_column_code: column,
});

/** Counts the stored values that a rule would refuse. */
export function countViolations(client: CartularyClient, path: LayerPlace, rule: Rule, signal: AbortSignal) {
  const { kind, columns, definition, dictionary } = rule;
  const body = {
    type: kind,
    columns: [...columns],
    definition: [...definition],
    ...(dictionary ? codesOf(dictionary) : {}),
  };
  return client.post(`${constraintsPath}violations/`, { params: { path }, body, isRead: true, signal });
}

/** Makes a rule. Stored values that do not keep it stay where `isKept` is false. */
export async function addRule(client: CartularyClient, path: LayerPlace, rule: Rule): Promise<void> {
  const { kind, columns, definition, dictionary, match, delimiter, isKept } = rule;
  const params = { path };
  const link = { column_code: columns[0]!, ...codesOf(dictionary ?? { map: '', layer: '', column: '' }) };
  if (kind === 'dictionary') await client.post(strictPath, { params, body: { ...link, validate: isKept } });
  else if (kind === 'hint')
    await client.post(hintsPath, {
      params,
      body: { ...link, match_type: match, multi_delimiter: delimiter },
    });
  else {
    const body = { type: kind, columns: [...columns], definition: [...definition], validate: isKept };
    await client.post(constraintsPath, { params, body });
  }
}

export async function removeRule(
  client: CartularyClient,
  path: LayerPlace,
  { kind, name }: Rule,
): Promise<void> {
  const params = { path };
  if (kind === 'dictionary') await client.delete(strictPath, { params, body: { constraint_name: name } });
  else if (kind === 'hint') await client.delete(hintsPath, { params, body: { column_code: name } });
  else await client.delete(constraintsPath, { params, body: { name } });
}

/** The kinds of rules that a column can have. */
export function kindsFor({ type }: Pick<StoredColumn, 'type'>, { isAdministrator }: Rules): RuleKind[] {
  const kinds: RuleKind[] =
    type === 'bool' ? ['unique', 'dictionary', 'hint'] : ['range', 'check', 'unique', 'dictionary', 'hint'];
  return kinds.filter((kind) => isAdministrator || !ofAdministrators.has(kind));
}

/** A rule of a column to begin with. */
export const blankRule = (kind: RuleKind, { code }: Pick<StoredColumn, 'code'>): Rule => ({
  ...blank,
  kind,
  name: '',
  columns: [code],
});

/** Whether nothing is missing. */
export function isComplete({ kind, definition, dictionary }: Rule): boolean {
  if (kind === 'check') return definition.length > 0;
  if (kind === 'range') return definition.some((one) => one !== null);
  return kind === 'unique' || Boolean(dictionary?.column);
}

/** Whether the layer has objects of its own, which rules are kept for. */
export const hasRules = ({ type }: Pick<WorkspaceItem, 'type'>): boolean => type === 'layer';
