import { Agent, type OutgoingHttpHeaders, request } from 'node:http';

export interface Sent {
  method: string;
  /** Path and query as sent. */
  path: string;
  token?: string;
  headers?: OutgoingHttpHeaders;
  /** Objects are sent as JSON, bytes and texts unchanged. */
  body?: unknown;
  /** Time limit of the request. */
  timeoutMs?: number;
  /** The client disconnects after half of the body, or without a body during the response. */
  isCutOff?: boolean;
  /** Local address of the connection, such as 127.0.0.2. */
  localAddress?: string;
}

export interface Answer {
  status: number;
  type: string;
  headers: Record<string, unknown>;
  bytes: Buffer;
  text: string;
  /** The parsed JSON body; undefined for other media types. */
  json: any;
}

/** Error message of a request that the client has cut off. */
export const cutOff = 'cut off';

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** Sends a request and reads the whole response. Rejects for a broken connection or after the time limit. */
export function ask(url: string, sent: Sent): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const { body, headers } = bodyOf(sent);
  const { method, path, token, localAddress = '127.0.0.1', timeoutMs = 60_000 } = sent;
  return new Promise((resolve, reject) => {
    const going = request({
      hostname,
      port,
      path,
      method,
      agent,
      localAddress,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
    });
    const timer = setTimeout(() => going.destroy(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs);
    going.once('error', reject);
    going.once('close', () => clearTimeout(timer));
    going.once('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        const bytes = Buffer.concat(chunks);
        const type = answer.headers['content-type'] ?? '';
        resolve({
          status: answer.statusCode!,
          type,
          headers: answer.headers,
          bytes,
          get text() {
            return bytes.toString();
          },
          get json() {
            return type.includes('json') ? JSON.parse(bytes.toString()) : undefined;
          },
        });
      });
    });
    if (!sent.isCutOff) going.end(body);
    else {
      going.write(body?.slice(0, body.length / 2) ?? '');
      setTimeout(() => going.destroy(new Error(cutOff)), 30);
    }
  });
}

function bodyOf({ body, headers = {} }: Sent): {
  body: string | Uint8Array | undefined;
  headers: OutgoingHttpHeaders;
} {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return { body, headers };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
}

/** A multipart/form-data body with text fields and one file, and its headers. */
export function multipart(
  fields: Record<string, string>,
  name: string,
  file: Uint8Array,
): Pick<Sent, 'body' | 'headers'> {
  const boundary = '----soak-7f3a';
  const parts = Object.entries(fields).map(
    ([key, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(parts.join('') + head),
    file,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}

/** A file as the whole body. */
export const fileBody = (name: string, bytes: Uint8Array | string): Pick<Sent, 'body' | 'headers'> => ({
  body: bytes,
  headers: { 'x-filename': name, 'content-type': 'application/octet-stream' },
});
