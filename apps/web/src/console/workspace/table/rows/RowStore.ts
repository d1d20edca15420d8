import { countRows, type RowSource, readRows, type TableRow } from './source.js';

/** Rows of one request. */
export const pageRows = 100;
/** Pages that stay in memory. */
const keptPages = 60;
const sliceOf = (page: number) => ({ offset: page * pageRows, limit: pageRows });
/** Pause before pages are asked for while the user scrolls, ms: what only flies past is not asked for. */
const pauseMs = 60;

/**
 * The rows of a table that are in view, with some around them. A page is asked for by its offset, so a jump to any row
 * needs one request. Rows stay on the screen while they are read anew.
 */
export class RowStore {
  readonly #source: RowSource;
  readonly #pages = new Map<number, readonly TableRow[]>();
  readonly #loading = new Map<number, AbortController>();
  readonly #outdated = new Set<number>();
  /** What is stored by now in place of what is shown; null: nobody has looked. */
  #newer: { pages: Map<number, readonly TableRow[]>; total: number } | null = null;
  readonly #listeners = new Set<() => void>();
  #counting = new AbortController();
  #wanted: readonly number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Number of rows; null until it is known. */
  total: number | null = null;
  /** Why rows could not be read; null: they were. */
  error: unknown = null;
  /** Counts the changes. */
  version = 0;

  constructor(source: RowSource) {
    this.#source = source;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readVersion = (): number => this.version;

  get source(): RowSource {
    return this.#source;
  }

  /** The row at a place; undefined until it is read. */
  row(index: number): TableRow | undefined {
    return this.#pages.get(Math.floor(index / pageRows))?.[index % pageRows];
  }

  /** The place of a row among those that are read; -1: it is not among them. */
  find(id: number): number {
    for (const [page, rows] of this.#pages) {
      const at = rows.findIndex((row) => row.id === id);
      if (at >= 0) return page * pageRows + at;
    }
    return -1;
  }

  /** Tells which rows are in view. */
  show(first: number, last: number): void {
    const from = Math.floor(Math.max(0, first) / pageRows);
    const to = Math.floor(Math.max(0, last) / pageRows);
    this.#wanted = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    for (const [page, controller] of this.#loading) if (!this.#wanted.includes(page)) controller.abort();
    clearTimeout(this.#timer);
    if (!this.#missing().length) return;
    if (this.#pages.size === 0) this.#load();
    else this.#timer = setTimeout(() => this.#load(), pauseMs);
  }

  /** Whether what is stored by now is not what is shown. */
  get isOutdated(): boolean {
    if (!this.#newer || this.total === null) return false;
    const { pages, total } = this.#newer;
    return (
      total !== this.total ||
      [...pages].some(([page, rows]) => JSON.stringify(rows) !== JSON.stringify(this.#pages.get(page)))
    );
  }

  /** Compares the rows in view with those that are stored. Others are read anew when they come into view. */
  async compare(signal: AbortSignal): Promise<void> {
    // What is being read may be older than what is compared.
    for (const [page, controller] of this.#loading) {
      controller.abort();
      void this.#loadPage(page);
    }
    const wanted = this.#wanted.filter((page) => this.#pages.has(page));
    const [total, ...found] = await Promise.all([
      countRows(this.#source, null, signal),
      ...wanted.map((page) => readRows(this.#source, { ...sliceOf(page), signal })),
    ]);
    if (signal.aborted) return;
    for (const page of this.#pages.keys()) if (!this.#wanted.includes(page)) this.#outdated.add(page);
    this.#newer = { total, pages: new Map(wanted.map((page, i) => [page, found[i]!])) };
    this.#changed();
  }

  /** Reads number and rows anew. */
  reload(): void {
    this.#newer = null;
    for (const page of this.#pages.keys()) this.#outdated.add(page);
    for (const controller of this.#loading.values()) controller.abort();
    this.#loading.clear();
    this.error = null;
    void this.#count();
    this.#load();
  }

  /** Takes a row as a change has left it. */
  replace(row: TableRow): void {
    const index = this.find(row.id);
    if (index < 0) return;
    const page = Math.floor(index / pageRows);
    const withRow = (rows: readonly TableRow[]): readonly TableRow[] =>
      rows.map((old) => (old.id === row.id ? row : old));
    this.#pages.set(page, withRow(this.#pages.get(page)!));
    for (const [at, rows] of this.#newer?.pages ?? []) this.#newer!.pages.set(at, withRow(rows));
    this.#changed();
  }

  /** Ends all requests. */
  close(): void {
    clearTimeout(this.#timer);
    this.#counting.abort();
    for (const controller of this.#loading.values()) controller.abort();
  }

  async #count(): Promise<void> {
    this.#counting.abort();
    this.#counting = new AbortController();
    const { signal } = this.#counting;
    try {
      const total = await countRows(this.#source, null, signal);
      if (signal.aborted) return;
      this.total = total;
      this.#changed();
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  #missing(): number[] {
    return this.#wanted.filter(
      (page) => (!this.#pages.has(page) || this.#outdated.has(page)) && !this.#loading.has(page),
    );
  }

  #load(): void {
    for (const page of this.#missing()) void this.#loadPage(page);
  }

  async #loadPage(page: number): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.#loading.set(page, controller);
    try {
      const rows = await readRows(this.#source, { ...sliceOf(page), signal });
      if (signal.aborted) return;
      this.#pages.delete(page); // the newest page is the last of the map
      this.#pages.set(page, rows);
      this.#outdated.delete(page);
      this.#newer?.pages.delete(page);
      this.error = null;
      this.#forget();
      this.#changed();
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    } finally {
      if (this.#loading.get(page) === controller) this.#loading.delete(page);
    }
  }

  #forget(): void {
    for (const page of this.#pages.keys()) {
      if (this.#pages.size <= keptPages) return;
      if (!this.#wanted.includes(page)) this.#pages.delete(page);
    }
  }

  #fail(error: unknown): void {
    this.error = error;
    this.#changed();
  }

  #changed(): void {
    this.version++;
    for (const listener of this.#listeners) listener();
  }
}
