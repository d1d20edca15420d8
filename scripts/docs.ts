import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import GithubSlugger from 'github-slugger';
import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '../src/http/error-page.js';

/** A page of the documentation. Paths are relative to `docs/`. */
interface Page {
  /** `guide/tiles.md` */
  source: string;
  /** `guide/tiles.html` */
  target: string;
  title: string;
  markdown: string;
}

/** What search finds: a part of a page under one heading. */
interface Section {
  id: number;
  page: string;
  heading: string;
  url: string;
  text: string;
}

/** Pages that the guide's own contents do not list. */
const references = ['settings.md', 'plugins.md', 'architecture.md', 'benchmarks.md'];

/** The first page of the documentation is that of the guide. */
const targetOf = (source: string): string =>
  source === 'guide/index.md' ? 'index.html' : source.replace(/\.md$/, '.html');

/**
 * Makes pages of the Markdown files under `source` in `folder`, by the template that the page builder has put there
 * (`docs/index.html`), with `search.json` and the pictures. Throws for a link that leads nowhere.
 */
export async function buildDocs(source: string, folder: string): Promise<void> {
  const target = join(folder, 'docs');
  const template = await readFile(join(target, 'index.html'), 'utf8');
  const pages = await readPages(source);
  const sections: Section[] = [];
  const nav = contentsOf(pages);
  for (const page of pages) {
    const content = renderContent(page, pages, sections);
    const root = relative(page.target, '.');
    const values: Record<string, string> = {
      TITLE: `${escapeHtml(page.title)} · Cartulary`,
      DOCS: root,
      BASE: posix.join(root, '..'),
      NAV: navigation(nav, page),
      CONTENT: content,
    };
    const path = join(target, page.target);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(
      path,
      template.replace(/__(TITLE|DOCS|BASE|NAV|CONTENT)__/g, (_, name) => values[name]!),
    );
  }
  // Why things were built as they are is not what readers look for.
  const searched = sections.filter(({ url }) => !url.startsWith('decisions/'));
  await writeFile(join(target, 'search.json'), JSON.stringify(searched));
  await cp(join(source, 'img'), join(target, 'img'), { recursive: true });
}

async function readPages(source: string): Promise<Page[]> {
  const files = await readdir(source, { recursive: true });
  const sources = files.map((file) => file.replaceAll('\\', '/')).filter((file) => file.endsWith('.md'));
  return Promise.all(
    sources.sort().map(async (file) => {
      const markdown = await readFile(join(source, file), 'utf8');
      const title = /^# (.+)$/m.exec(markdown)?.[1] ?? file;
      return { source: file, target: targetOf(file), title: title.replaceAll('`', ''), markdown };
    }),
  );
}

/** The way from one page to another. */
function relative(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to) || '.';
}

function renderContent(page: Page, pages: readonly Page[], sections: Section[]): string {
  const slugger = new GithubSlugger();
  const link = (href: string): string => resolve(page, pages, href);
  let section: Section | undefined;
  const begin = (heading: string, slug: string): void => {
    const url = slug ? `${page.target}#${slug}` : page.target;
    section = { id: sections.length, page: page.title, heading, url, text: '' };
    sections.push(section);
  };
  const marked = new Marked({
    walkTokens(token) {
      if (token.type === 'link' || token.type === 'image') token.href = link(token.href);
      if (token.type === 'html')
        token.text = token.text.replace(/src="([^"]+)"/g, (_: string, at: string) => `src="${link(at)}"`);
    },
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens);
        const slug = slugger.slug(text);
        if (depth === 1) return `<h1 id="${slug}">${inner}</h1>\n`;
        const name = escapeHtml(text.replaceAll('`', ''));
        return `<h${depth} id="${slug}">${inner}<a class="anchor" href="#${slug}" aria-label="Link to “${name}”">#</a></h${depth}>\n`;
      },
      code({ text }: Tokens.Code) {
        return `<div class="code"><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>\n`;
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: 'th' | 'td'): string =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const head = token.header.some(({ text }) => text) ? `<thead>${row(token.header, 'th')}</thead>` : '';
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="wide" tabindex="0" role="region" aria-label="Table"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const slugs = new GithubSlugger();
  for (const token of marked.lexer(page.markdown)) {
    if (token.type === 'heading') begin(token.text.replaceAll('`', ''), slugs.slug(token.text));
    else if (section) section.text += `${plain(token.raw)} `;
  }
  return marked.parse(page.markdown, { async: false });
}

/** Markdown as the words that are read. */
const plain = (markdown: string): string =>
  markdown
    .replace(/```\w*/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]+>|-{3,}/g, ' ')
    .replace(/[`*|]|^[-:| ]+$/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Where a link of a page leads in the built documentation. */
function resolve(page: Page, pages: readonly Page[], href: string): string {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [path = '', hash] = href.split('#');
  const file = posix.join(posix.dirname(page.source), path);
  const found = pages.find(({ source }) => source === file);
  if (path.endsWith('.md') && !found)
    throw new Error(`docs/${page.source} links to ${href}, which is not there`);
  const target = relative(page.target, found?.target ?? file);
  return hash === undefined ? target : `${target}#${hash}`;
}

interface Group {
  title: string;
  pages: Page[];
}

/** The contents as the first page of the guide lists them: groups by the rows in bold. */
function contentsOf(pages: readonly Page[]): Group[] {
  const guide = pages.find(({ source }) => source === 'guide/index.md')!;
  const groups: Group[] = [];
  for (const [, link, bold] of guide.markdown.matchAll(
    /^\| (?:\[[^\]]+\]\(([\w-]+\.md)\)|\*{0,2}([^|*[]+)\*{0,2}) \|/gm,
  )) {
    if (bold !== undefined) groups.push({ title: bold, pages: [] });
    const page = pages.find(({ source }) => source === `guide/${link}`);
    if (page) groups.at(-1)?.pages.push(page);
  }
  const others = references.flatMap((file) => pages.filter(({ source }) => source === file));
  return [...groups, { title: 'Reference', pages: others }];
}

function navigation(groups: readonly Group[], current: Page): string {
  const item = (page: Page): string => {
    const mark = page === current ? ' aria-current="page"' : '';
    return `<li><a href="${relative(current.target, page.target)}"${mark}>${escapeHtml(page.title)}</a></li>`;
  };
  return groups
    .map(
      ({ title, pages }) => `<h2 class="group">${escapeHtml(title)}</h2><ul>${pages.map(item).join('')}</ul>`,
    )
    .join('');
}
