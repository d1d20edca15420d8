/** Browsers limit the height of an element, to 17 million pixels at least; higher tables are scrolled by a shorter one. */
const maxHeightPx = 4_000_000;

/**
 * The offset in a table that may be higher than an element can be. Short moves of the scroll bar are moves of the table
 * by the same distance; long ones go to the same part of the table.
 */
export class ScrollScale {
  /** Offset in the table, pixels. */
  offset = 0;
  #lastTop = 0;
  #element: HTMLElement | null = null;
  #totalPx = 0;

  /** Height of the element that is scrolled, pixels. */
  get heightPx(): number {
    return Math.min(this.#totalPx, maxHeightPx);
  }

  /** What is subtracted from a place in the table to get its place in the element, pixels. */
  get shiftPx(): number {
    return this.offset - this.#lastTop;
  }

  attach(element: HTMLElement | null): void {
    this.#element = element;
  }

  setTotal(totalPx: number): void {
    this.#totalPx = totalPx;
    this.offset = Math.min(this.offset, this.#maxOffset);
  }

  /** Takes the position of the scroll bar. */
  read(): number {
    const element = this.#element;
    if (!element) return this.offset;
    const top = element.scrollTop;
    const moved = top - this.#lastTop;
    this.#lastTop = top;
    if (this.#totalPx <= maxHeightPx || top <= 0) this.offset = top;
    else if (top >= this.#maxTop - 1) this.offset = this.#maxOffset;
    else if (Math.abs(moved) < element.clientHeight) this.offset = this.#within(this.offset + moved);
    else this.offset = this.#within((top / this.#maxTop) * this.#maxOffset);
    return this.offset;
  }

  /** Scrolls to an offset in the table. */
  scrollTo(offset: number): void {
    const element = this.#element;
    if (!element) return;
    const next = this.#within(offset);
    const top = this.#lastTop + next - this.offset;
    const isNear = Math.abs(next - this.offset) < element.clientHeight && top > 0 && top < this.#maxTop - 1;
    if (isNear || this.#totalPx <= maxHeightPx) element.scrollTop = top;
    else this.#place(next);
  }

  /** Moves the scroll bar to where the offset belongs, after it was moved by short distances. */
  settle(): void {
    if (this.#totalPx > maxHeightPx) this.#place(this.offset);
  }

  #place(offset: number): void {
    const element = this.#element!;
    this.offset = offset;
    element.scrollTop = this.#maxOffset ? (offset / this.#maxOffset) * this.#maxTop : 0;
    this.#lastTop = element.scrollTop;
  }

  #within = (offset: number): number => Math.min(Math.max(0, offset), this.#maxOffset);

  get #maxOffset(): number {
    return Math.max(0, this.#totalPx - (this.#element?.clientHeight ?? 0));
  }

  get #maxTop(): number {
    return Math.max(1, this.heightPx - (this.#element?.clientHeight ?? 0));
  }
}
