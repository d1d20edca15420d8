/** A value that was entered and is not stored yet. */
export interface CellDraft {
  id: number;
  code: string;
  /** The value that the text was entered over. */
  base: unknown;
  text: string;
}

/** Drafts of one user and layer, in the browser: they outlive the page. */
export class DraftStorage {
  readonly #key: string;

  constructor(owner: { project: string; login: string; map: string; layer: string }) {
    this.#key = `cartulary-table ${JSON.stringify([owner.project, owner.login, owner.map, owner.layer])}`;
  }

  read(): CellDraft[] {
    try {
      return JSON.parse(localStorage.getItem(this.#key) ?? '[]') as CellDraft[];
    } catch {
      return []; // the browser may deny access to storage
    }
  }

  write(drafts: readonly CellDraft[]): void {
    try {
      if (drafts.length) localStorage.setItem(this.#key, JSON.stringify(drafts));
      else localStorage.removeItem(this.#key);
    } catch {
      // without storage the drafts last as long as the page
    }
  }
}
