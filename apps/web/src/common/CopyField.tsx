import { Button } from '@mantine/core';
import { type ReactNode, useId, useRef, useState } from 'react';
import classes from './CopyField.module.css';
import { IconCheck, IconCopy } from './icons.js';
import { useTexts } from './texts/language.js';

interface CopyFieldProps {
  label: string;
  text: string;
  /** Name of the button, with what it copies. */
  action: string;
  rows?: number;
}

/** A text to copy, such as an address. Without access to the clipboard the text is selected. */
export function CopyField({ label, text, action, rows = 1 }: CopyFieldProps): ReactNode {
  const texts = useTexts();
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const [state, setState] = useState<'idle' | 'copied' | 'denied'>('idle');
  const copy = async (): Promise<void> => {
    field.current?.select();
    // Without https a page has no clipboard.
    const isCopied = await Promise.resolve(navigator.clipboard?.writeText(text).then(() => true)).catch(
      () => false,
    );
    setState(isCopied ? 'copied' : 'denied');
    if (isCopied) setTimeout(() => setState('idle'), 2000);
  };
  return (
    <div className={classes.copy}>
      <label htmlFor={id}>{label}</label>
      <div className={classes.row}>
        <textarea
          id={id}
          ref={field}
          value={text}
          rows={rows}
          readOnly
          spellCheck={false}
          data-single={rows === 1 || undefined}
          onFocus={(event) => event.target.select()}
        />
        <Button
          variant="light"
          h={44}
          px={12}
          aria-label={action}
          title={action}
          onClick={() => void copy()}
          leftSection={state === 'copied' ? <IconCheck size={16} /> : <IconCopy size={16} />}
        >
          {state === 'copied' ? texts.copied : texts.copy}
        </Button>
      </div>
      <p className={classes.note} role="status">
        {state === 'denied' && texts.copyDenied}
      </p>
    </div>
  );
}
