import { posix } from 'node:path';
import { escapeHtml } from '@cartulary/server';
import GithubSlugger from 'github-slugger';
import { Marked, type MarkedExtension, type RendererThis, type Tokens } from 'marked';

/** A page of the documentation. Paths are relative to `docs/`. */
export interface DocsPage {
  /** `guide/tiles.md` */
  source: string;
  /** `guide/tiles.html` */
  target: string;
  title: string;
  markdown: string;
}

/** A search result: the text under one heading. */
export interface DocsSection {
  id: number;
  page: string;
  heading: string;
  url: string;
  text: string;
}

/** The relative path from one page to another. */
export const relativePath = (from: string, to: string): string =>
  posix.relative(posix.dirname(from), to) || '.';

/** Converts a page to HTML and appends its sections to the search index. */
export function renderPage(page: DocsPage, pages: readonly DocsPage[], sections: DocsSection[]): string {
  const marked = new Marked(
    rewriteLinks((href) => resolveLink(page, pages, href)),
    {
      renderer: { heading: headingRenderer(), code: renderCode, table: renderTable },
    },
  );
  collectSections(page, marked, sections);
  return marked.parse(page.markdown, { async: false });
}

function collectSections(page: DocsPage, marked: Marked, sections: DocsSection[]): void {
  const slugger = new GithubSlugger();
  let section: DocsSection | undefined;
  for (const token of marked.lexer(page.markdown)) {
    if (token.type === 'heading') {
      const heading = token.text.replaceAll('`', '');
      const url = `${page.target}#${slugger.slug(token.text)}`;
      section = { id: sections.length, page: page.title, heading, url, text: '' };
      sections.push(section);
    } else if (section) section.text += `${plainText(token.raw)} `;
  }
}

const rewriteLinks = (resolve: (href: string) => string): MarkedExtension => ({
  walkTokens(token) {
    if (token.type === 'link' || token.type === 'image') token.href = resolve(token.href);
    if (token.type === 'html')
      token.text = token.text.replace(/src="([^"]+)"/g, (_: string, src: string) => `src="${resolve(src)}"`);
  },
});

/** Headings get ids and links to themselves. Ids are unique within a page, so that each page needs its own renderer. */
function headingRenderer() {
  const slugger = new GithubSlugger();
  return function renderHeading(this: RendererThis, { tokens, depth, text }: Tokens.Heading): string {
    const inner = this.parser.parseInline(tokens);
    const slug = slugger.slug(text);
    if (depth === 1) return `<h1 id="${slug}">${inner}</h1>\n`;
    const name = escapeHtml(text.replaceAll('`', ''));
    return `<h${depth} id="${slug}">${inner}<a class="anchor" href="#${slug}" aria-label="Link to “${name}”">#</a></h${depth}>\n`;
  };
}

const renderCode = ({ text }: Tokens.Code): string =>
  `<div class="code"><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>\n`;

/** Length of a row of texts, characters, that a phone has no room for. */
const longRow = 45;
/** Tables with more columns hold figures. */
const maxTextColumns = 4;

function renderTable(this: RendererThis, { header, rows }: Tokens.Table): string {
  const render = ({ text, tokens }: Tokens.TableCell, tag: 'th' | 'td', label = ''): string => {
    // An empty cell is no header.
    const ownTag = text ? tag : 'td';
    const attribute = label ? ` data-label="${escapeHtml(label)}"` : '';
    return `<${ownTag}${attribute}>${this.parser.parseInline(tokens)}</${ownTag}>`;
  };
  const head = header.some(({ text }) => text)
    ? `<thead><tr>${header.map((cell) => render(cell, 'th')).join('')}</tr></thead>`
    : '';
  const labels = header.map(({ text }, column) => (column ? plainText(text) : ''));
  const body = rows.map(
    (cells) => `<tr>${cells.map((cell, column) => render(cell, 'td', labels[column])).join('')}</tr>`,
  );
  const isLong =
    header.length <= maxTextColumns &&
    rows.some((cells) => cells.map(({ text }) => text).join('').length > longRow);
  return `<div class="wide${isLong ? ' texts' : ''}" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${body.join('\n')}</tbody></table></div>\n`;
}

/** Markdown without its markup. */
const plainText = (markdown: string): string =>
  markdown
    .replace(/```\w*/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]+>|-{3,}/g, ' ')
    .replace(/[`*|]|^[-:| ]+$/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The target of a link in the built documentation. Throws for a missing page. */
function resolveLink(page: DocsPage, pages: readonly DocsPage[], href: string): string {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [path = '', hash] = href.split('#');
  const file = posix.join(posix.dirname(page.source), path);
  const linked = pages.find(({ source }) => source === file);
  if (path.endsWith('.md') && !linked)
    throw new Error(`docs/${page.source} links to ${href}, which does not exist`);
  const target = relativePath(page.target, linked?.target ?? file);
  return hash === undefined ? target : `${target}#${hash}`;
}
