import { ActionIcon } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import classes from './Dialog.module.css';
import { IconX } from './icons.js';
import { useTexts } from './texts/language.js';

interface DialogProps {
  title: string;
  /** Whether it holds more than a short form. */
  isWide?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** What had the focus last, beside menus: these close as a dialog opens, and their button is what opened it. */
let opener: HTMLElement | null = null;
addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && !target.closest('[role=menu], dialog')) opener = target;
});

/** A modal dialog. The first empty field has the focus, else the first field. */
export function Dialog({ title, isWide = false, onClose, children }: DialogProps): ReactNode {
  const texts = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const latest = useRef(onClose);
  latest.current = onClose;
  useEffect(() => {
    // Back and forward change the page behind the dialog, which belongs to the page before.
    const close = (): void => latest.current();
    addEventListener('popstate', close);
    return () => removeEventListener('popstate', close);
  }, []);
  useEffect(() => {
    const one = dialog.current!;
    const before = opener;
    one.showModal();
    const inputs = [...one.querySelectorAll('input')];
    (inputs.find((input) => !input.value) ?? inputs[0])?.focus();
    return () => {
      one.close();
      // The browser gives the focus back, unless what had it is gone.
      if (document.activeElement === document.body) before?.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={classes.dialog}
      data-wide={isWide || undefined}
      aria-labelledby={heading}
      onCancel={(event) => {
        // The file chooser of a field sends this event, too.
        if (event.target !== event.currentTarget) return;
        // Closed by the browser, it would be open for the page until a later event, which would close what a key opens meanwhile.
        event.preventDefault();
        onClose();
      }}
      onClose={onClose}
    >
      <div className={classes.head}>
        <h2 id={heading} title={title}>
          {title}
        </h2>
        <ActionIcon variant="subtle" color="gray" size={44} aria-label={texts.close} onClick={onClose}>
          <IconX size={20} />
        </ActionIcon>
      </div>
      {children}
    </dialog>
  );
}
