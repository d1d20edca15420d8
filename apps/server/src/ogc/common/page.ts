import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../../http/error-page.js';

/** HTML that is safe to send: text in it was escaped. */
export class Html {
  constructor(readonly text: string) {}
}

/** Writes HTML; values that are put in are escaped, unless they are HTML themselves. */
export function html(strings: TemplateStringsArray, ...parts: unknown[]): Html {
  const shown = (part: unknown): string => {
    if (part instanceof Html) return part.text;
    if (Array.isArray(part)) return part.map(shown).join('');
    return part === undefined || part === null ? '' : escapeHtml(String(part));
  };
  return new Html(strings.reduce((text, piece, i) => text + (i ? shown(parts[i - 1]) : '') + piece, ''));
}

const style = `
:root{color-scheme:light dark;--paper:#f7f5f0;--card:#fffefb;--line:#e2ded4;--text:#1d2423;--quiet:#5d6866;--accent:#10635c}
@media(prefers-color-scheme:dark){:root{--paper:#121818;--card:#1b2322;--line:#303b3a;--text:#e4eae9;--quiet:#9cabaa;--accent:#74c7bd}}
body{margin:0;background:var(--paper);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{box-sizing:border-box;max-width:1000px;margin:0 auto;padding:16px}
nav{box-sizing:border-box;max-width:1000px;margin:0 auto;padding:16px 16px 0}
nav a{display:inline-block;min-width:24px;padding:4px 0}
nav a+a::before{content:"/";padding:0 8px;color:var(--quiet)}
h1{margin:8px 0 16px;font-size:26px;line-height:1.2;overflow-wrap:anywhere}
h2{margin:24px 0 8px;font-size:19px}
a{color:var(--accent)}
section{padding:4px 20px 20px;margin:0 0 16px;background:var(--card);border:1px solid var(--line);border-radius:14px}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:14px}
th,td{min-width:4em;padding:6px 12px 6px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:anywhere}
code{font-size:13px;user-select:all;overflow-wrap:anywhere}
input{box-sizing:border-box;width:100%;padding:4px 8px;font:13px ui-monospace,monospace;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:6px}
dt{margin-top:8px;color:var(--quiet);font-size:14px}
dd{margin:0;overflow-wrap:anywhere}
.map{display:grid;grid-template-columns:repeat(var(--columns),1fr);max-width:calc(var(--columns)*256px);border:1px solid var(--line)}
.map img{display:block;width:100%;height:auto;background:#fff}
.c1{--columns:1}.c2{--columns:2}.c3{--columns:3}
`;

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Page {
  title: string;
  /** The way from the list of maps to this page. */
  way: readonly { title: string; href: string }[];
  body: Html;
}

/** Sends a page of a door. It has no script. */
export function sendDoorPage(reply: FastifyReply, { title, way, body }: Page): FastifyReply {
  const links = way.map(({ title: name, href }) => html`<a href="${href}">${name}</a>`);
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Cartulary</title><style>${new Html(style)}</style></head>
<body><nav aria-label="Way">${links}</nav><main><h1>${title}</h1>${body}</main></body></html>
`;
  return reply
    .headers({ 'content-security-policy': policy, 'referrer-policy': 'same-origin' })
    .type('text/html; charset=utf-8')
    .send(page.text);
}

/** Addresses to copy, each with its purpose. A field is reached by the tab key, which selects all of it. */
export const addressList = (addresses: readonly (readonly [purpose: string, address: string])[]): Html =>
  html`<dl>${addresses.map(([purpose, address]) => html`<dt>${purpose}</dt><dd><input readonly aria-label="${purpose}" value="${address}"></dd>`)}</dl>`;
