import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inParallel } from '../../bench/load.js';
import { type Answer, ask, cutOff, type Sent } from '../client.js';
import type { Options } from '../options.js';
import { type Random, randomOf } from '../random.js';
import type { Service } from '../service.js';
import { encode, makeHostile } from './hostile.js';
import { codeOf, faultOf, undeclared } from './judge.js';
import { type Draft, type Operation, validRequest } from './valid.js';
import { clearWorld, makeWorld, type World } from './world.js';

/** Requests on their way at once. */
const atOnce = 6;
/** Requests to one set of maps, layers and objects before it is made anew: they remove and change much of it. */
const perWorld = 400;
/** An answer that takes longer is a fault, ms. */
const longestAnswer = 30_000;
/** What part of the requests is changed. */
const hostilePart = 0.6;

interface Run {
  service: Service;
  options: Options;
  counts: Map<string, number>;
  /** By function: how many, and how many of them were answered 2xx. */
  functions: Map<string, [sent: number, succeeded: number]>;
  faults: number;
  sent: number;
  /** The service has ended and is being started. */
  starting: Promise<unknown> | undefined;
}

/** Sends generated requests, and prints what became of them: the number of faults. */
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
    const count = Math.min(perWorld, options.requests - run.sent);
    const drafts = Array.from({ length: count }, () => draftOf(operations, world, random));
    await inParallel(drafts, atOnce, (draft) => sendOne(run, draft));
    await clearWorld(service, world);
    if (round % 10 === 9) console.log(`${run.sent} requests, ${run.faults} faults`);
  }
  run.faults += faultsInLog(service);
  report(run);
  return run.faults;
}

/** The functions of the document, and those of the earlier versions, which have the same paths. */
function operationsOf(document: any): Operation[] {
  const found: Operation[] = [];
  for (const [path, methods] of Object.entries<any>(document.paths))
    for (const [method, { operationId, parameters = [], responses }] of Object.entries<any>(methods)) {
      const operation = { operationId, method: method.toUpperCase(), parameters, responses };
      // Nobody is to take the rights of the project from all that follows, and its catalogs stay few.
      if (operationId === 'putRights' || operationId === 'postApi28') continue;
      found.push({ ...operation, path });
    }
  return found;
}

function draftOf(operations: readonly Operation[], world: World, random: Random): Draft {
  const draft = validRequest(random.pick(operations), world, random);
  const version = random.below(20);
  if (version < 2) draft.path = draft.path.replace('/api/2.8/', version ? '/api/2.0/' : '/api/1.0/');
  if (random.chance(hostilePart)) makeHostile(draft, random);
  return draft;
}

const raw = (value: string): string => (value.startsWith('%RAW%') ? value.slice(5) : encode(value));

function requestOf({ method, path, values, query, headers, body, isCutOff = false }: Draft): Sent {
  // A dot or nothing alone would name another path.
  const filled = path.replace(
    /\{(\w+)\}/g,
    (_, name) => raw(values[name] ?? 'none').replaceAll('.', '%2E') || '%20',
  );
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${raw(value)}`);
  const sent: Sent = {
    method,
    path: pairs.length ? `${filled}?${pairs.join('&')}` : filled,
    headers,
    timeoutMs: longestAnswer,
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
    fault = faultOf(answer, sent) ?? (isOfDocument(draft) ? undeclared(answer, draft.operation) : undefined);
  } catch (error) {
    const ms = Math.round(performance.now() - began);
    if (service.hasEnded() || run.starting) fault = await startAgain(run);
    else if (!isRefusal(error as Error)) fault = `no answer after ${ms} ms: ${(error as Error).message}`;
  }
  run.sent++;
  count(run, draft, answer);
  if (fault) await keep(run, fault, { draft, sent, answer });
}

/** Starts a service that has ended; the requests that were under way with the one that ended it are no faults of their own. */
async function startAgain(run: Run): Promise<string | undefined> {
  const isFirst = !run.starting;
  run.starting ??= run.service.start().finally(() => {
    run.starting = undefined;
  });
  await run.starting;
  return isFirst ? 'the service ended' : undefined;
}

/** The document tells of the functions of this version by their own methods. */
const isOfDocument = ({ method, path, operation }: Draft): boolean =>
  method === operation.method && path === operation.path;

/** The connection was closed on purpose, by the client or while the request was still being sent. */
const isRefusal = ({ message }: Error): boolean =>
  message === cutOff || /ECONNRESET|EPIPE|Parse Error/.test(message);

/** Faults that only the log tells of: of answers without a body, of jobs, and of the database's process. */
function faultsInLog(service: Service): number {
  const lines = service.log().split('\n');
  const faults = lines.filter((line) => /unforeseen fault|embedded database ended/.test(line));
  if (faults.length)
    console.log(`FAULT ${faults.length} lines in the log, such as ${faults[0]!.slice(0, 1_000)}`);
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

/** Prints a fault, and writes the request into the folder of the report as a line for curl. */
async function keep(run: Run, fault: string, { draft, sent, answer }: Found): Promise<void> {
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
