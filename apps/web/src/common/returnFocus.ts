/** How long the part of the page that has removed the focused control may take to set the focus itself, ms. */
const graceMs = 50;

/**
 * Keeps the keyboard at its place. The browser takes the focus from a control that is disabled while its change is on the way:
 * it gets the focus back. Where a control is removed, such as that of a deleted row, what lies beside it gets the focus. A control
 * that the user has left meanwhile does not count.
 */
export function returnFocus(): void {
  let last: Element | null = null;
  let lost: HTMLElement | null = null;
  addEventListener('focusin', ({ target }) => {
    last = target as Element;
    lost = null;
  });
  addEventListener('pointerdown', () => {
    last = null;
    lost = null;
  });
  const watched = { subtree: true, childList: true, attributeFilter: ['disabled'] };
  new MutationObserver((records) => {
    const left = last;
    const gone = left && !left.isConnected && records.find((record) => isRemoved(left, record));
    if (gone) {
      setTimeout(
        () => last === left && document.activeElement === document.body && focusBeside(gone),
        graceMs,
      );
    } else if (last instanceof HTMLElement && last.matches(':disabled')) lost = last;
    else lost?.focus({ preventScroll: true });
  }).observe(document, watched);
}

const isRemoved = (element: Element, { removedNodes }: MutationRecord): boolean =>
  [...removedNodes].some((node) => node.contains(element));

/** Focuses the control that is nearest to what has been removed, else the content of the page. */
function focusBeside({ nextSibling, previousSibling, target }: MutationRecord): void {
  const content = document.querySelector('main');
  if (!content?.contains(target)) return;
  const around: (Node | null)[] = [nextSibling, previousSibling];
  for (let node: Node | null = target; node && node !== content; node = node.parentNode) around.push(node);
  const found = around.map((node) => node instanceof Element && firstControl(node)).find(Boolean);
  (found || content).focus();
}

const controls = ['a[href]', 'button', 'input', 'select', 'textarea', '[tabindex="0"]'];

/** The first control in an element that the Tab key reaches. */
const firstControl = (element: Element): HTMLElement | undefined =>
  [element, ...element.querySelectorAll<HTMLElement>(controls.join())].find(
    (one): one is HTMLElement =>
      one instanceof HTMLElement &&
      one.matches(`:is(${controls}):not(:disabled, [tabindex="-1"])`) &&
      one.getClientRects().length > 0,
  );
