import { randomUUID } from 'node:crypto';
import { badRequest, requiredMissing, ServiceError } from '@cartulary/errors';
import { cleanName } from '@cartulary/runtime';
import type { FastifyRequest } from 'fastify';
import { demandOnProject } from '../access/rights.js';
import { parametersOf } from '../http/body/body.js';
import { limitBytes, readUpload, tooLarge } from '../http/body/incoming.js';
import { checkIconName } from './names.js';
import { readPicture } from './picture.js';
import type { IconServices } from './services.js';
import { hasContent, type Icon, storeIcon } from './store.js';
import { testRenderJob } from './test-render.js';
import { iconView } from './view.js';

/** Checks and stores an upload. `replaced`: the name of the icon that it replaces. */
export async function upload(
  services: IconServices,
  request: FastifyRequest,
  replaced: string | undefined,
): Promise<Record<string, unknown>> {
  const { db, storage, config } = services;
  const { caller } = request;
  await demandOnProject(db, caller, 'edit');
  const file = fileOf(request, config.iconLimitBytes);
  const given = replaced ?? parametersOf(request).name;
  const bytes = await collect(file.bytes);
  const named = given ?? (await request.upload?.fields)?.name ?? withoutEnding(file.filename);
  if (typeof named !== 'string' || named === '') throw requiredMissing('name');
  const name = checkIconName(named);
  const picture = await readPicture(bytes, { side: config.iconSidePixels });
  const content = randomUUID();
  await storage.put(content, single(picture.bytes));
  try {
    await tryToDraw(services, { content, kind: picture.kind }, request.gone);
    const icon = { ...picture, name, content, size: picture.bytes.length };
    await db
      .for(request.owner)
      .transaction((tx) =>
        storeIcon(tx, caller, icon, { replaces: replaced !== undefined, most: config.icons }),
      );
    await storage.settle(content);
    return iconView(services, caller.project.code, icon, true);
  } catch (error) {
    await forget(services, content);
    throw error;
  }
}

/**
 * Removes bytes that no icon names; the sweep retries a failure. The database is asked first, since a commit
 * without an answer may have taken place.
 */
async function forget({ db, storage }: IconServices, content: string): Promise<void> {
  try {
    if (!(await hasContent(db, content))) await storage.delete(content);
  } catch {}
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of chunks) parts.push(part);
  return Buffer.concat(parts);
}

async function* single(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

interface IncomingIcon {
  filename: string | undefined;
  bytes: AsyncIterable<Buffer>;
}

/**
 * The file of a form, or the body. Throws `required_missing`, and 413 at once when the declared size is too
 * large.
 */
function fileOf(request: FastifyRequest, limit: number): IncomingIcon {
  const isForm = /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '');
  // A form has other fields and boundaries beside its file.
  const declared = Number(request.headers['content-length'] ?? 0) - (isForm ? 64 * 1024 : 0);
  if (declared > limit) throw tooLarge(limit);
  if (isForm && request.upload?.field !== 'file') throw requiredMissing('file');
  const stream = isForm ? request.upload!.stream : (request.body as NodeJS.ReadableStream | undefined);
  if (!stream) throw requiredMissing('file');
  const header = request.headers['x-filename'];
  const filename = isForm
    ? request.upload!.filename
    : typeof header === 'string'
      ? decoded(header)
      : undefined;
  return { filename, bytes: limitBytes(readUpload(stream as Parameters<typeof readUpload>[0]), limit) };
}

/** Headers are ASCII, so names may be percent-encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const withoutEnding = (filename: string | undefined): string | undefined =>
  filename === undefined || filename === '' ? undefined : cleanName(filename).replace(/\.[^.]*$/, '');

/**
 * Draws the icon once in a renderer process. An icon that crashes the process is refused, so no tile meets
 * it. Throws 400.
 */
async function tryToDraw(
  { renderers, icons }: IconServices,
  icon: Pick<Icon, 'content' | 'kind'>,
  signal: AbortSignal,
): Promise<void> {
  const job = testRenderJob(await icons.place(icon));
  await renderers.render(job, signal).catch((error) => {
    const isItsFault = error instanceof ServiceError && ['internal', 'timeout'].includes(error.code);
    throw isItsFault ? badRequest('The icon cannot be drawn') : error;
  });
}
