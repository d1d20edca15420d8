import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { escapeHtml, wayUp } from '../http/error-page.js';

/** Where `npm run build` puts the pages. */
export const builtPages = fileURLToPath(new URL('../../web/', import.meta.url));

export type PageName = 'home' | 'viewer';

/** A page as it was built, with places for what is known only when it is asked for. */
export interface PageTemplate {
  readonly html: string;
}

/** Reads a built page; one that says how to build it when it is not there. */
export function readPage(name: PageName): PageTemplate {
  try {
    return { html: readFileSync(join(builtPages, name, 'index.html'), 'utf8') };
  } catch {
    const text = 'The pages have not been built yet: run npm run build.';
    return { html: `<!doctype html><html lang="en"><title>Cartulary</title><p>${text}</p></html>\n` };
  }
}

/**
 * What the pages may load: only what the service itself serves. Styles that the pages' library adds while it runs
 * need the nonce; the map's worker is a file of the service.
 */
const policyOf = (nonce: string, frameAncestors: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');

/** The same for the documentation, whose pages are files. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface RenderedPage {
  html: string;
  headers: Record<string, string>;
}

/** A page as it is sent: addresses relative to `url`, the title, and headers that fit its nonce. */
export function renderPage(
  template: PageTemplate,
  { url, title, frameAncestors }: { url: string; title: string; frameAncestors: string },
): RenderedPage {
  const nonce = randomBytes(16).toString('base64url');
  const values: Record<string, string> = {
    __BASE__: wayUp(url),
    __NONCE__: nonce,
    __TITLE__: escapeHtml(title),
  };
  return {
    html: template.html.replace(/__(BASE|NONCE|TITLE)__/g, (place) => values[place]!),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(nonce, frameAncestors),
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'permissions-policy': 'geolocation=(self), camera=(), microphone=()',
    },
  };
}
