declare module 'linebreak' {
  /** The Unicode Line Breaking Algorithm (UAX 14). */
  export default class LineBreaker {
    constructor(text: string);
    /** The next place where a line may or must end; null after the end of the text. */
    nextBreak(): { position: number; required: boolean } | null;
  }
}
