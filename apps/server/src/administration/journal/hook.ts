import type { FastifyRequest } from 'fastify';
import type { App } from '../../http/app-type.js';
import { isOn } from '../../http/params.js';
import { type JournalAction, journalActionOf } from './actions.js';
import type { Journal, NotedChange } from './journal.js';

/** Records what routes that are registered after it have done. Routes that only read are left as they are. */
export function recordChanges(app: App, journal: Journal): void {
  app.addHook('onRoute', (route) => {
    const action = journalActionOf([route.method].flat()[0]!, route.url);
    if (!action) return;
    route.onResponse = [
      ...[route.onResponse ?? []].flat(),
      (request, reply, done) => {
        if (reply.statusCode < 400 && !isPreview(request)) journal.note(changeOf(action, request));
        done();
      },
    ];
  });
  app.addHook('onClose', () => journal.flush());
}

/** Records a transaction of a service whose one address reads and writes, for a layer that it has changed. */
export function noteTransaction(journal: Journal, request: FastifyRequest, layer: string): void {
  journal.note({ ...changeOf('objects_changed', request), layer, item: null });
}

/** Whether a request changes nothing. */
const isPreview = ({ query }: FastifyRequest): boolean =>
  isOn((query as { dry_run?: string } | undefined)?.dry_run);

/** Characters of a code or name in an entry. */
const maxLength = 200;

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, maxLength) : null;

/** What was changed: what the path names, and of a new thing the name in the body. */
function changeOf(action: JournalAction, { params, body, caller }: FastifyRequest): NotedChange {
  const { project: _, map, layer, ...rest } = params as Record<string, string>;
  const sent = namesIn(body);
  return {
    projectId: caller.project.id,
    login: caller.account?.login ?? null,
    action,
    map: text(map) ?? (action === 'map_made' ? sent.code : null),
    layer: text(layer) ?? (action === 'layer_made' ? sent.code : null),
    item: text(rest.login) ?? text(Object.values(rest).at(-1)) ?? itemOf(action, sent),
  };
}

function itemOf(action: JournalAction, { code, login, name, grants }: Names): string | null {
  if (action === 'rights_changed') return grants;
  if (/^(constraint|dictionary)_/.test(action)) return name;
  if (/^(folder|column)_/.test(action)) return code;
  return login;
}

interface Names {
  code: string | null;
  login: string | null;
  name: string | null;
  /** The users and groups of grants. */
  grants: string | null;
}

/** The names in a body that a route has accepted. */
function namesIn(body: unknown): Names {
  const parts = [body]
    .flat()
    .filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null);
  const grants = parts.flatMap(({ user, group }) => text(user) ?? text(group) ?? []);
  const { code, login, name, constraint_name } = parts[0] ?? {};
  return {
    code: text(code),
    login: text(login),
    name: text(constraint_name) ?? text(name),
    grants: text([...new Set(grants)].join(', ')),
  };
}
