import { freshCode, type TestServer } from '../../support/server.js';

/** Creates a user with rights on paths (`/rights/`, `/m/rights/`, `/m/layers/l/rights/`). Returns the token of a session. */
export async function signIn(server: TestServer, rights: Record<string, string> = {}): Promise<string> {
  const login = freshCode('user');
  await server.admin('POST', '/users/', { login, password: 'long-enough' });
  for (const [path, right] of Object.entries(rights)) await server.admin('PUT', path, { user: login, right });
  const answer = await server.request('POST', '/login/', { body: { login, password: 'long-enough' } });
  return answer.json.token;
}

/** Texts that are dangerous if they ever become SQL, HTML, a path or a property name. */
export const hostileTexts = [
  `'; drop table cartulary.container; --`,
  `"; drop table cartulary.container; --`,
  `$1 \${x} %s ?`,
  `\\'; select pg_sleep(10); --\\`,
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `../../../etc/passwd`,
  `__proto__`,
  `{{7*7}}`,
  `𝕏 ё 名前 שלום\u202e\t\n`,
];

/** Texts that PostgreSQL cannot hold. */
export const unstorableTexts = ['a\u0000b', 'a\ud800b'];

/** Sends JSON and asks for errors as JSON. Returns the status and the code of the error (undefined if it has none). */
export async function outcome(
  server: TestServer,
  method: string,
  path: string,
  options: { token?: string; body?: unknown } = {},
): Promise<[status: number, code: string | undefined]> {
  const { status, json } = await server.request(method, path, {
    ...options,
    headers: { accept: 'application/json' },
  });
  return [status, json?.error === 'error' ? json.code : undefined];
}
