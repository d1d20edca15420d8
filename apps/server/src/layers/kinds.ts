/** The special steps for kinds of layers when they are created or changed. */
import type { Transaction } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import type { Caller } from '../access/caller.js';
import { type Container, lockTree, readContainer } from '../containers/containers.js';
import { type ExternalConfig, policyOf } from '../external/policy.js';
import { forbiddenHost, readSource } from '../external/source.js';
import { isExternal, isQuery, type Layer } from './layers.js';
import { type QueryConfig, refreshLayer, saveQuery } from './queries/query-save.js';

export interface KindConfig extends QueryConfig, ExternalConfig {}

interface Settled {
  caller: Caller;
  /** The layer after the write. */
  layer: Container;
  /** The layer before the write; absent for a new one. */
  before?: Pick<Layer, 'json' | 'problem'>;
  /** Whether the request contains `json`. */
  saysJson: boolean;
  config: KindConfig;
}

/**
 * Puts `json` of a query layer or an external layer into use, in the transaction that wrote it, and returns the layer. Throws
 * `query_invalid`, `required_missing`, 400.
 */
export async function settleKind(
  tx: Transaction,
  { caller, layer, before, saysJson, config }: Settled,
): Promise<Container> {
  if (before && !saysJson) return layer;
  if (isExternal(layer)) checkExternal(layer.json, config);
  if (!isQuery(layer)) return layer;
  const { refreshed: _, ...json } = layer.json;
  const known = before?.json ?? {};
  const query = json.query ?? known.query;
  const kept = { ...json, query, ...(known.refreshed === undefined ? {} : { refreshed: known.refreshed }) };
  await tx.query(sql`
    update cartulary.container set json = ${JSON.stringify(kept)}::jsonb where id = ${layer.id}`);
  // A query with a deleted source is tried again when it is sent: the source may exist again.
  if (!before || known.query !== query || before.problem)
    await saveQuery(tx, { caller, layer: { ...layer, json: kept }, config });
  return (await readContainer(tx, layer.id))!;
}

/** Throws 400 for wrong settings of an external layer, or a host that the service may not fetch from. */
function checkExternal(json: Record<string, unknown>, config: ExternalConfig): void {
  const source = readSource(json);
  const host = source.isDrawn ? forbiddenHost(source, policyOf(config)) : undefined;
  if (host !== undefined)
    throw badRequest(
      `json.url: the service may not fetch from ${host}, which is not among CARTULARY_EXTERNAL_HOSTS; with json.fetch "client" only clients do`,
      { parameters: ['json.url'], host },
    );
}

/**
 * Runs the query of a materialized layer again. Throws `not_materialized` for other layers, and `not_owner` unless the caller
 * created it. An administrator of the layer may act for a deleted owner.
 */
export async function refresh(
  tx: Transaction,
  at: { caller: Caller; layer: Layer; config: KindConfig },
): Promise<Container> {
  const { caller, layer } = at;
  if (layer.type !== 'material')
    throw new ServiceError('not_materialized', `The layer '${layer.code}' is not a materialized layer`);
  const isOwner =
    layer.owner_id === null ? layer.right >= 3 : layer.owner_id === (caller.account?.id ?? null);
  if (!isOwner) throw new ServiceError('not_owner');
  await lockTree(tx, layer.map.id);
  const now = await readContainer(tx, layer.id);
  if (!now) throw new ServiceError('layer_not_found');
  await refreshLayer(tx, { ...at, layer: now });
  return (await readContainer(tx, layer.id))!;
}
