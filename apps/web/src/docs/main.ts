/** The script of documentation pages: search, copy buttons, contents that collapse on a phone. */
import MiniSearch from 'minisearch';

/** The section under a heading, as in `search.json`. */
interface Section {
  id: number;
  page: string;
  heading: string;
  /** Relative to the root of the documentation. */
  url: string;
  text: string;
}

const maxResults = 12;

async function loadIndex(url: string): Promise<MiniSearch<Section>> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const index = new MiniSearch<Section>({
    fields: ['heading', 'page', 'text'],
    storeFields: ['heading', 'page', 'url', 'text'],
    searchOptions: {
      // The guide ranks above the reference.
      boostDocument: (_id, _term, stored) => (String(stored?.url).startsWith('guide/') ? 2 : 1),
      boost: { heading: 4, page: 3 },
      prefix: true,
      fuzzy: 0.15,
      combineWith: 'AND',
    },
  });
  index.addAll(await response.json());
  return index;
}

/** About 120 characters of a text around the first search term in it. */
function excerpt(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = Math.max(
    0,
    ...terms
      .map((term) => lower.indexOf(term))
      .filter((place) => place >= 0)
      .slice(0, 1),
  );
  const start = at > 40 ? text.indexOf(' ', at - 40) + 1 : 0;
  return `${start ? '… ' : ''}${text.slice(start, start + 120)}${text.length > start + 120 ? ' …' : ''}`;
}

/** The search field: a combobox (ARIA Authoring Practices) with a list of results. The index is loaded at the first search. */
class SearchField {
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #root: string;
  #index: Promise<MiniSearch<Section>> | undefined;
  /** Position of the active option; -1: none. */
  #active = -1;

  constructor(input: HTMLInputElement, list: HTMLElement) {
    this.#input = input;
    this.#list = list;
    this.#root = input.dataset.index!.replace(/search\.json$/, '');
    input.addEventListener('input', () => void this.#search().catch(() => (this.#index = undefined)));
    input.addEventListener('keydown', (event) => {
      if (this.#handleKey(event.key)) event.preventDefault();
    });
    list.addEventListener('click', ({ target }) =>
      this.#open((target as HTMLElement).closest<HTMLElement>('[role="option"]')),
    );
    document.addEventListener('click', ({ target }) => {
      if (!input.parentElement!.contains(target as Node)) this.#setOpen(false);
    });
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      input.focus();
    });
    input.parentElement!.hidden = false;
  }

  get #options(): HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>('[role="option"]')];
  }

  async #search(): Promise<void> {
    const phrase = this.#input.value.trim();
    if (!phrase) return this.#setOpen(false);
    this.#index ??= loadIndex(this.#input.dataset.index!);
    const results = (await this.#index).search(phrase).slice(0, maxResults);
    if (this.#input.value.trim() !== phrase) return;
    if (results.length)
      this.#list.replaceChildren(...results.map((result, i) => this.#optionOf(result as never, i)));
    else this.#list.replaceChildren(noResults(phrase));
    this.#setOpen(true);
  }

  #optionOf(
    { heading, page, text, url, terms }: Section & { terms: string[] },
    position: number,
  ): HTMLElement {
    const option = document.createElement('div');
    option.id = `found-${position}`;
    option.setAttribute('role', 'option');
    option.setAttribute('aria-selected', 'false');
    const title = document.createElement('strong');
    title.textContent = heading === page ? page : `${page}: ${heading}`;
    const summary = document.createElement('span');
    summary.textContent = excerpt(text, terms);
    option.append(title, summary);
    option.dataset.url = this.#root + url;
    return option;
  }

  #setOpen(isOpen: boolean): void {
    this.#list.hidden = !isOpen;
    this.#input.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) this.#activate(-1);
  }

  #activate(position: number): void {
    this.#active = position;
    for (const [i, option] of this.#options.entries()) {
      option.setAttribute('aria-selected', String(i === position));
      if (i === position) option.scrollIntoView({ block: 'nearest' });
    }
    if (position >= 0) this.#input.setAttribute('aria-activedescendant', `found-${position}`);
    else this.#input.removeAttribute('aria-activedescendant');
  }

  #open(option: HTMLElement | null | undefined): void {
    if (!option?.dataset.url) return;
    this.#setOpen(false);
    location.assign(option.dataset.url);
  }

  /** Returns whether the field handles the key. */
  #handleKey(key: string): boolean {
    const options = this.#options;
    const count = options.length;
    if (key === 'Escape') this.#setOpen(false);
    else if (key === 'Enter') this.#open(options[Math.max(this.#active, 0)]);
    else if (key === 'ArrowDown' && count) this.#activate((this.#active + 1) % count);
    else if (key === 'ArrowUp' && count) this.#activate((this.#active <= 0 ? count : this.#active) - 1);
    else return false;
    return true;
  }
}

function noResults(phrase: string): HTMLElement {
  const note = document.createElement('div');
  note.className = 'none';
  note.setAttribute('role', 'presentation');
  note.textContent = `Nothing was found for “${phrase}”`;
  return note;
}

/** Adds a copy button to each code block. Browsers allow copying in secure contexts only. */
function addCopyButtons(): void {
  if (!window.isSecureContext) return;
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code')!.textContent ?? '').catch(() => {});
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 2_000);
    });
    block.append(button);
  }
}

new SearchField(
  document.querySelector<HTMLInputElement>('#search')!,
  document.querySelector<HTMLDivElement>('#found')!,
);
addCopyButtons();
const contents = document.querySelector<HTMLDetailsElement>('.contents')!;
if (matchMedia('(width <= 800px)').matches) contents.open = false;
document.querySelector('.contents [aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
