/**
 * Gives the focus back to a control that was disabled while its change was on the way. The browser takes the focus from a
 * disabled control, and the keyboard would be nowhere. A control that the user has left meanwhile does not get it.
 */
export function returnFocus(): void {
  let last: Element | null = null;
  let lost: HTMLElement | null = null;
  addEventListener('focusin', ({ target }) => {
    last = target as Element;
    lost = null;
  });
  addEventListener('pointerdown', () => {
    lost = null;
  });
  new MutationObserver(() => {
    if (last instanceof HTMLElement && last.matches(':disabled')) lost = last;
    else lost?.focus({ preventScroll: true });
  }).observe(document, { subtree: true, attributeFilter: ['disabled'] });
}
