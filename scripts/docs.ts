import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { escapeHtml } from '@cartulary/server';
import { type DocsPage, type DocsSection, relativePath, renderPage } from './docs-page.js';

/** Reference pages in the navigation, in addition to those of the guide's contents. */
const references = [
  'settings.md',
  'plugins.md',
  'architecture.md',
  'changes.md',
  'caches.md',
  'fast-paths.md',
  'benchmarks.md',
];

/** The start page of the guide is that of the documentation. */
const targetOf = (source: string): string =>
  source === 'guide/index.md' ? 'index.html' : source.replace(/\.md$/, '.html');

/**
 * Converts the Markdown files under `source` to pages in `folder/docs`, with `search.json` and the images. The template
 * is `docs/index.html`, which the page builder has written there. Throws for a link to a missing page.
 */
export async function buildDocs(source: string, folder: string): Promise<void> {
  const target = join(folder, 'docs');
  const template = await readFile(join(target, 'index.html'), 'utf8');
  const pages = await readPages(source);
  const sections: DocsSection[] = [];
  const nav = contentsOf(pages);
  for (const page of pages) {
    const content = renderPage(page, pages, sections);
    const root = relativePath(page.target, '.');
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
  // Decision records are not part of the search: their readers are developers.
  const searched = sections.filter(({ url }) => !url.startsWith('decisions/'));
  await writeFile(join(target, 'search.json'), JSON.stringify(searched));
  for (const images of ['img', 'guide/console'])
    await cp(join(source, images), join(target, images), { recursive: true });
}

async function readPages(source: string): Promise<DocsPage[]> {
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

interface Group {
  title: string;
  pages: DocsPage[];
}

/** The navigation: groups by the bold rows in the contents of the guide's start page. */
function contentsOf(pages: readonly DocsPage[]): Group[] {
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

function navigation(groups: readonly Group[], current: DocsPage): string {
  const item = (page: DocsPage): string => {
    const mark = page === current ? ' aria-current="page"' : '';
    return `<li><a href="${relativePath(current.target, page.target)}"${mark}>${escapeHtml(page.title)}</a></li>`;
  };
  return groups
    .map(
      ({ title, pages }) => `<h2 class="group">${escapeHtml(title)}</h2><ul>${pages.map(item).join('')}</ul>`,
    )
    .join('');
}
