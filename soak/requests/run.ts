import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inParallel } from '@cartulary/bench/load.js';
import { type Answer, ask, cutOff, type Sent } from '../client.js';
import type { Options } from '../options.js';
import { type Random, randomOf } from '../random.js';
import type { Service } from '../service.js';
import { makeHostile } from './hostile.js';
import { encode } from './hostile-values.js';
import { codeOf, faultOf, undeclared } from './judge.js';
import { type Draft, isProjectPath, type Operation } from './operation.js';
import { validRequest } from './valid.js';
import { clearWorld, makeWorld, type World } from './world.js';

/** Number of concurrent requests. */
const concurrency = 6;
/** Number of requests to one set of maps, of which they remove and change much. */
const requestsPerWorld = 400;
/** A slower response is a fault. */
const responseTimeoutMs = 30_000;
/** Share of hostile requests. */
const hostileShare = 0.6;

interface Run {
  service: Service;
  options: Options;
  counts: Map<string, number>;
  /** By operation id: numbers of requests and of responses 2xx. */
  functions: Map<string, [sent: number, succeeded: number]>;
  faults: number;
  sent: number;
  /** Resolves when a service that ended has started again. */
  starting: Promise<unknown> | undefined;
}

/** Sends generated requests. Prints the results and returns the number of faults. */
export async function runRequests(service: Service, options: Options): Promise<number> {
  const counts = { counts: new Map(), functions: new Map(), faults: 0, sent: 0 };
  const run: Run = { service, options, ...counts, starting: undefined };
  const random = randomOf(options.seed);
  const operations = operationsOf(
    (await ask(service.url, { method: 'GET', path: '/api/2.8/openapi.json' })).json,
  );
  const end = performance.now() + options.minutes * 60_000;
  for (let round = 0; run.sent < options.requests && performance.now() < end; round++) {
    const world = await makeWorld(service, round);
    const count = Math.min(requestsPerWorld, options.requests - run.sent);
    const drafts = Array.from({ length: count }, () => draftOf(operations, world, random));
    await inParallel(drafts, concurrency, (draft) => sendOne(run, draft));
    await clearWorld(service, world);
    if (round % 10 === 9) console.log(`${run.sent} requests, ${run.faults} faults`);
  }
  run.faults += faultsInLog(service);
  report(run);
  return run.faults;
}

/** The operations of the OpenAPI document. */
function operationsOf(document: any): Operation[] {
  const found: Operation[] = [];
  for (const [path, methods] of Object.entries<any>(document.paths))
    for (const [method, { operationId, parameters = [], responses }] of Object.entries<any>(methods)) {
      if (method === 'delete' && isProjectPath(path)) continue;
      const operation = { operationId, method: method.toUpperCase(), parameters, responses };
      // These operations would withdraw the run's own rights, or create projects without limit.
      if (operationId === 'putRights' || operationId === 'postApi28') continue;
      found.push({ ...operation, path });
    }
  return found;
}

function draftOf(operations: readonly Operation[], world: World, random: Random): Draft {
  const draft = validRequest(random.pick(operations), world, random);
  const version = random.below(20);
  if (version < 2) draft.path = draft.path.replace('/api/2.8/', version ? '/api/2.0/' : '/api/1.0/');
  if (random.chance(hostileShare)) makeHostile(draft, random);
  return draft;
}

const raw = (value: string): string => (value.startsWith('%RAW%') ? value.slice(5) : encode(value));

function requestOf({ method, path, values, query, headers, body, isCutOff = false }: Draft): Sent {
  // An empty value or dots would change the path.
  const filled = path.replace(
    /\{(\w+)\}/g,
    (_, name) => raw(values[name] ?? 'none').replaceAll('.', '%2E') || '%20',
  );
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${raw(value)}`);
  const sent: Sent = {
    method,
    path: pairs.length ? `${filled}?${pairs.join('&')}` : filled,
    headers,
    timeoutMs: responseTimeoutMs,
    isCutOff,
  };
  if (body !== undefined) {
    sent.body = body instanceof Uint8Array ? body : JSON.stringify(body);
    if (!(body instanceof Uint8Array)) sent.headers = { 'content-type': 'application/json', ...headers };
  }
  return sent;
}

async function sendOne(run: Run, draft: Draft): Promise<void> {
  const { service } = run;
  const sent = requestOf(draft);
  const began = performance.now();
  let answer: Answer | undefined;
  let fault: string | undefined;
  try {
    answer = await (draft.withToken ? service.admin(sent) : ask(service.url, sent));
    fault = faultOf(answer, sent) ?? (isDocumented(draft) ? undeclared(answer, draft.operation) : undefined);
  } catch (error) {
    const ms = Math.round(performance.now() - began);
    if (service.hasEnded() || run.starting) fault = await restart(run);
    else if (!isRefusal(error as Error)) fault = `no answer after ${ms} ms: ${(error as Error).message}`;
  }
  run.sent++;
  count(run, draft, answer);
  if (fault) await reportFault(run, fault, { draft, sent, answer });
}

/** Restarts a service that has ended. Of the requests in flight only the first one reports a fault. */
async function restart(run: Run): Promise<string | undefined> {
  const isFirst = !run.starting;
  run.starting ??= run.service.start().finally(() => {
    run.starting = undefined;
  });
  await run.starting;
  return isFirst ? 'the service ended' : undefined;
}

/** Whether the document describes the request: its method and path are unchanged. */
const isDocumented = ({ method, path, operation }: Draft): boolean =>
  method === operation.method && path === operation.path;

/** Whether the connection was closed intentionally, by the client or by the service during the upload. */
const isRefusal = ({ message }: Error): boolean =>
  message === cutOff || /ECONNRESET|EPIPE|Parse Error/.test(message);

/** Counts faults that only the log shows: of responses without a body, of jobs, of the database process. */
function faultsInLog(service: Service): number {
  const lines = service.log().split('\n');
  const faults = lines.filter((line) => /unforeseen fault|embedded database ended/.test(line));
  if (faults.length) console.log(`FAULT ${faults.length} lines in the log`);
  for (const fault of faults.slice(0, 10)) console.log(`  ${fault.slice(0, 1_000)}`);
  return faults.length;
}

function count(run: Run, { operationId }: Draft, answer: Answer | undefined): void {
  const key = answer ? [answer.status, codeOf(answer)].filter(Boolean).join(' ') : 'closed';
  run.counts.set(key, (run.counts.get(key) ?? 0) + 1);
  const [sent, succeeded] = run.functions.get(operationId) ?? [0, 0];
  run.functions.set(operationId, [sent + 1, succeeded + (answer && answer.status < 300 ? 1 : 0)]);
}

const quoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;

interface Found {
  draft: Draft;
  sent: Sent;
  answer: Answer | undefined;
}

/** Prints a fault and writes the request into the report folder as a curl command. */
async function reportFault(run: Run, fault: string, { draft, sent, answer }: Found): Promise<void> {
  const { report: folder } = run.options;
  run.faults++;
  const name = `fault-${run.options.seed}-${run.faults}`;
  await mkdir(folder, { recursive: true });
  const parts = ['curl -i --path-as-is', `-X ${sent.method}`];
  if (draft.withToken) parts.push('-H "authorization: Bearer $TOKEN"');
  for (const [key, value] of Object.entries(sent.headers ?? {}))
    parts.push(`-H ${quoted(`${key}: ${value}`)}`);
  if (sent.body !== undefined) {
    await writeFile(join(folder, `${name}.body`), sent.body as string | Uint8Array);
    parts.push(`--data-binary @${name}.body`);
  }
  parts.push(`"$BASE"${quoted(sent.path)}`);
  const said = answer ? `${answer.status} ${answer.text.slice(0, 500)}` : '';
  await writeFile(join(folder, `${name}.txt`), `${fault}\n${parts.join(' ')}\n${said}\n`);
  console.log(
    `FAULT ${fault}: ${draft.operationId} ${join(folder, name)}.txt\n  ${parts.join(' ').slice(0, 400)}\n  ${said.slice(0, 300)}`,
  );
}

function report({ counts, functions, sent, service, faults }: Run): void {
  const succeeded = [...functions.values()].reduce((sum, [, good]) => sum + good, 0);
  console.log(`${sent} requests, ${Math.round((100 * succeeded) / sent)} % answered 2xx`);
  for (const [key, number] of [...counts].sort((a, b) => b[1] - a[1]))
    console.log(`  ${String(number).padStart(7)}  ${key}`);
  const never = [...functions].filter(([, [all, good]]) => all >= 10 && !good).map(([name]) => name);
  if (never.length) console.log(`never answered 2xx: ${never.join(', ')}`);
  if (faults) console.log(`the end of the service's log:\n${service.log().slice(-5_000)}`);
}
