import type { ColumnDetails } from '@cartulary/client';
import type { Draft } from '../../../drafts.js';
import type { RowStore } from '../rows/RowStore.js';
import { readRow, type TableRow } from '../rows/source.js';
import { IdAliases } from './IdAliases.js';
import { presentIn, readObject, type VersionedObject, writeObject } from './objects.js';
import { editText, isSame, valueIn } from './values.js';

/** A value that was entered and is not stored yet. */
export interface CellDraft {
  id: number;
  code: string;
  /** The value that the text was entered over. */
  base: unknown;
  text: string;
}

/** A value that is entered, on its way, or not stored. */
export interface CellEdit extends CellDraft {
  state: 'typing' | 'saving' | 'failed' | 'conflict';
  /** Whether the editor shows what it was opened with: there is nothing to lose. */
  isUntouched?: boolean;
  /** Why it was not stored; null: it was not tried since the page was loaded. */
  error: unknown;
  /** The version that somebody else has stored. */
  theirs: VersionedObject | null;
}

/** A change that can be taken back. */
export interface UndoStep {
  label: string;
  undo: () => Promise<void>;
}

interface EditContext {
  /** The present rows: another order has others. */
  rows: () => RowStore;
  drafts: Draft<readonly CellDraft[]>;
  /** Called after something was stored. */
  onStored: () => void;
}

const keyOf = (id: number, code: string): string => `${id} ${code}`;

/**
 * The values that are entered into cells. Each is written with the version of its object; until it is stored it is kept in the
 * browser.
 */
export class EditStore {
  readonly #context: EditContext;
  readonly #edits = new Map<string, CellEdit>();
  readonly #listeners = new Set<() => void>();
  readonly #steps: UndoStep[] = [];
  /** The write of each object that is the last in its queue: writes of one object follow each other. */
  readonly #queues = new Map<number, Promise<void>>();
  readonly aliases = new IdAliases();
  /** Keys of the drafts that this page has read or written. */
  #kept: ReadonlySet<string>;
  version = 0;

  constructor(context: EditContext) {
    this.#context = context;
    for (const draft of context.drafts.read() ?? [])
      this.#edits.set(keyOf(draft.id, draft.code), { ...draft, state: 'failed', error: null, theirs: null });
    this.#kept = new Set(this.#edits.keys());
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readVersion = (): number => this.version;

  edit(id: number, code: string): CellEdit | undefined {
    return this.#edits.get(keyOf(id, code));
  }

  /** Those that could not be stored. */
  get failed(): CellEdit[] {
    return [...this.#edits.values()].filter(({ state }) => state === 'failed');
  }

  /** The first of which somebody else has stored another value. */
  get conflict(): CellEdit | undefined {
    return [...this.#edits.values()].find(({ state }) => state === 'conflict');
  }

  get lastStep(): UndoStep | undefined {
    return this.#steps.at(-1);
  }

  /** Begins to enter a value over the one that is shown. `text` replaces it. */
  open(row: TableRow, column: ColumnDetails, text?: string): void {
    const known = this.edit(row.id, column.code);
    if (known?.state === 'saving') return;
    const base = known?.base ?? row.fields[column.code] ?? null;
    const shown = known?.text ?? editText(column, base);
    this.#set({
      id: row.id,
      code: column.code,
      base,
      text: text ?? shown,
      state: 'typing',
      isUntouched: !known && text === undefined,
      error: null,
      theirs: null,
    });
  }

  type(edit: CellEdit, text: string): void {
    this.#set({ ...edit, text, isUntouched: false });
  }

  /** Gives up a value. */
  discard({ id, code }: Pick<CellEdit, 'id' | 'code'>): void {
    this.#edits.delete(keyOf(id, code));
    this.#changed();
  }

  /** Stores what was entered into a cell. */
  async save(edit: CellEdit, column: ColumnDetails): Promise<void> {
    const value = valueIn(column, edit.text);
    if (isSame(value, edit.base)) return this.discard(edit);
    const step: UndoStep = {
      label: column.name || column.code,
      undo: () => {
        const id = this.aliases.now(edit.id);
        return this.#write({ ...edit, id, base: value, text: editText(column, edit.base) }, edit.base);
      },
    };
    await this.#write(edit, value, step);
  }

  /** Tries all again that could not be stored. */
  retry(columns: readonly ColumnDetails[]): void {
    for (const edit of this.failed) {
      const column = columns.find(({ code }) => code === edit.code);
      if (column) void this.save(edit, column);
      else this.discard(edit);
    }
  }

  /** Settles a conflict: the own value replaces the other's, or is given up. */
  async settle(edit: CellEdit, column: ColumnDetails, isMine: boolean): Promise<void> {
    if (isMine) return this.save({ ...edit, base: edit.theirs!.fields[edit.code] ?? null }, column);
    this.discard(edit);
    await this.refresh(edit.id);
  }

  /** Leaves a conflict open: the value stays in its cell, not stored. */
  settleLater(edit: CellEdit): void {
    this.#set({ ...edit, state: 'failed', error: null, theirs: null });
  }

  /** Remembers a change that can be taken back. */
  remember(step: UndoStep): void {
    this.#steps.push(step);
    this.#changed();
  }

  /** Takes the last change back. */
  async undo(): Promise<UndoStep | undefined> {
    const step = this.#steps.pop();
    this.#changed();
    await step?.undo();
    return step;
  }

  async #write(edit: CellEdit, value: unknown, step?: UndoStep): Promise<void> {
    this.#set({ ...edit, state: 'saving', error: null, theirs: null });
    const before = this.#queues.get(edit.id) ?? Promise.resolve();
    const work = before.then(() => this.#send(edit, value, step));
    this.#queues.set(edit.id, work);
    await work;
    if (this.#queues.get(edit.id) === work) this.#queues.delete(edit.id);
  }

  async #send(edit: CellEdit, value: unknown, step: UndoStep | undefined): Promise<void> {
    const { id, code } = edit;
    try {
      const theirs = await this.#store(edit, value);
      if (theirs) return this.#set({ ...edit, state: 'conflict', error: null, theirs });
      await this.refresh(id);
      // The user may have entered another value meanwhile.
      if (this.edit(id, code)?.state === 'saving') this.#edits.delete(keyOf(id, code));
      if (step) this.#steps.push(step);
      this.#changed();
      this.#context.onStored();
    } catch (error) {
      this.#set({ ...edit, state: 'failed', error, theirs: null });
    }
  }

  /** Writes a value over its base. Gives the version of somebody else who has changed the same value. */
  async #store({ id, code, base }: CellEdit, value: unknown): Promise<VersionedObject | null> {
    const { source } = this.#context.rows();
    let present = await readObject(source, id);
    for (;;) {
      if (present && !isSame(present.fields[code], base)) return present;
      try {
        await writeObject(source, id, { fields: { [code]: value } }, present?.etag ?? '*');
        return null;
      } catch (error) {
        present = presentIn(error);
        // Others may change other values of the object as often as they like.
        if (!present) throw error;
      }
    }
  }

  /** Reads a row anew, after its object was changed. */
  async refresh(id: number): Promise<void> {
    const rows = this.#context.rows();
    const row = await readRow({ ...rows.source, filter: null }, id);
    if (row) rows.replace(row);
    else rows.reload();
  }

  #set(edit: CellEdit): void {
    this.#edits.set(keyOf(edit.id, edit.code), edit);
    this.#changed();
  }

  #changed(): void {
    this.#keepDrafts();
    this.version++;
    for (const listener of this.#listeners) listener();
  }

  /** Replaces the drafts of this page. Other pages of the browser may have drafts of their own. */
  #keepDrafts(): void {
    const drafts = [...this.#edits.values()]
      .filter(({ isUntouched }) => !isUntouched)
      .map(({ id, code, base, text }) => ({ id, code, base, text }));
    const now = new Set(drafts.map(({ id, code }) => keyOf(id, code)));
    const others = (this.#context.drafts.read() ?? []).filter(({ id, code }) => {
      const key = keyOf(id, code);
      return !now.has(key) && !this.#kept.has(key);
    });
    this.#kept = now;
    const all = [...others, ...drafts];
    this.#context.drafts.write(all.length ? all : null);
  }
}
