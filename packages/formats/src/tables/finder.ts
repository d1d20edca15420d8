/** Finds a character in a growing text, and examines each character once. */
export class Finder {
  private found = -2;
  private text = '';
  constructor(private readonly sign: string) {}

  reset(text: string): void {
    this.text = text;
    this.found = -2;
  }

  /** Position of its next occurrence from here on; the end of the text if there is none. */
  next(from: number): number {
    if (this.found < from) {
      const at = this.text.indexOf(this.sign, from);
      this.found = at === -1 ? this.text.length : at;
    }
    return this.found;
  }
}
