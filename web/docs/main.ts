/** What a page of the documentation does beyond being read: search, copying of commands, contents that fold on a phone. */
import MiniSearch from 'minisearch';

/** A part of a page under one heading, as the build writes it into `search.json`. */
interface Section {
  id: number;
  page: string;
  heading: string;
  /** From the root of the documentation. */
  url: string;
  text: string;
}

const most = 12;

async function openIndex(url: string): Promise<MiniSearch<Section>> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const index = new MiniSearch<Section>({
    fields: ['heading', 'page', 'text'],
    storeFields: ['heading', 'page', 'url', 'text'],
    searchOptions: {
      // How things are done comes before how they were built.
      boostDocument: (_id, _term, stored) => (String(stored?.url).startsWith('guide/') ? 2 : 1),
      boost: { heading: 4, page: 3 },
      prefix: true,
      fuzzy: 0.15,
      combineWith: 'AND',
    },
  });
  index.addAll(await answer.json());
  return index;
}

/** The words around the first of the terms that the text has. */
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

function startSearch(field: HTMLInputElement, list: HTMLDivElement): void {
  let index: Promise<MiniSearch<Section>> | undefined;
  let chosen = -1;
  const root = field.dataset.index!.replace(/search\.json$/, '');
  const options = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[role="option"]')];

  function show(isOpen: boolean): void {
    list.hidden = !isOpen;
    field.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) choose(-1);
  }

  function choose(place: number): void {
    chosen = place;
    for (const [i, option] of options().entries()) {
      option.setAttribute('aria-selected', String(i === place));
      if (i === place) option.scrollIntoView({ block: 'nearest' });
    }
    if (place >= 0) field.setAttribute('aria-activedescendant', `found-${place}`);
    else field.removeAttribute('aria-activedescendant');
  }

  function optionOf(section: Section & { terms: string[] }, place: number): HTMLElement {
    const item = document.createElement('div');
    item.id = `found-${place}`;
    item.setAttribute('role', 'option');
    item.setAttribute('aria-selected', 'false');
    const title = document.createElement('strong');
    title.textContent =
      section.heading === section.page ? section.page : `${section.page}: ${section.heading}`;
    const text = document.createElement('span');
    text.textContent = excerpt(section.text, section.terms);
    item.append(title, text);
    item.dataset.url = root + section.url;
    return item;
  }

  async function search(): Promise<void> {
    const phrase = field.value.trim();
    if (!phrase) return show(false);
    index ??= openIndex(field.dataset.index!);
    const found = (await index).search(phrase).slice(0, most);
    if (field.value.trim() !== phrase) return;
    list.replaceChildren(...found.map((one, i) => optionOf(one as never, i)));
    if (!found.length) {
      const none = document.createElement('div');
      none.className = 'none';
      none.setAttribute('role', 'presentation');
      none.textContent = `Nothing was found for “${phrase}”`;
      list.append(none);
    }
    show(true);
  }

  const open = (option: HTMLElement | undefined): void => {
    if (!option?.dataset.url) return;
    show(false);
    location.assign(option.dataset.url);
  };

  field.addEventListener('input', () => void search().catch(() => (index = undefined)));
  field.addEventListener('keydown', (event) => {
    const all = options();
    if (event.key === 'Escape') show(false);
    else if (event.key === 'Enter') open(all[Math.max(chosen, 0)]);
    else if (event.key === 'ArrowDown' && all.length) choose((chosen + 1) % all.length);
    else if (event.key === 'ArrowUp' && all.length) choose((chosen <= 0 ? all.length : chosen) - 1);
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', (event) =>
    open((event.target as HTMLElement).closest<HTMLElement>('[role="option"]') ?? undefined),
  );
  document.addEventListener('click', (event) => {
    if (!field.parentElement!.contains(event.target as Node)) show(false);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    field.focus();
  });
  field.parentElement!.hidden = false;
}

/** A button beside each block of commands, where the browser lets a page copy. */
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

startSearch(
  document.querySelector<HTMLInputElement>('#search')!,
  document.querySelector<HTMLDivElement>('#found')!,
);
addCopyButtons();
const contents = document.querySelector<HTMLDetailsElement>('.contents')!;
if (matchMedia('(width <= 800px)').matches) contents.open = false;
document.querySelector('.contents [aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
