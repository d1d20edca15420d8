import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { escapeHtml, wayUp } from '../http/error-page.js';

/** Output folder of `npm run build` for the pages. */
export const builtPages = fileURLToPath(new URL('../../../../web/dist/pages/', import.meta.url));

export type PageName = 'home' | 'viewer' | 'console';

/** A built page with placeholders for values of the request. */
export interface PageTemplate {
  readonly html: string;
}

/** Reads a built page. When it is missing, a page with build instructions replaces it. */
export function readPage(name: PageName): PageTemplate {
  try {
    return { html: readFileSync(join(builtPages, name, 'index.html'), 'utf8') };
  } catch {
    const text = 'The pages have not been built yet: run npm run build.';
    return { html: `<!doctype html><html lang="en"><title>Cartulary</title><p>${text}</p></html>\n` };
  }
}

/**
 * Content security policy of the pages: they load only from the service itself. Styles that the map library
 * adds at run time need the nonce. The map's worker is a file of the service.
 */
const policyOf = (nonce: string, frameAncestors: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'", // the console previews an embedded map
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');

/** The policy of the documentation, whose pages are static files. */
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

/** The page for a request: base address relative to `url`, title, and headers with its nonce. */
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
