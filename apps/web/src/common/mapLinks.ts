import { base } from './base.js';

/** The address of a map's page. */
export const mapPage = (project: string, map: string): string =>
  `${base}/maps/${encodeURIComponent(project)}/${encodeURIComponent(map)}/`;

/** The address of the bare map at the address of a map page, for a frame of another page. */
export function embedAddress(page: string): string {
  const url = new URL(page);
  const query = url.search.slice(1);
  return `${url.origin}${url.pathname}?embed${query ? `&${query}` : ''}${url.hash}`;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign]!);

/** The HTML that shows a map in another page. */
export const embedCode = (page: string, name: string): string =>
  `<iframe src="${escapeHtml(embedAddress(page))}" title="${escapeHtml(name)}" width="100%" height="450" ` +
  'style="border: 0" loading="lazy" allow="geolocation; fullscreen"></iframe>';
