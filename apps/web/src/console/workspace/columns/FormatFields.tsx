import { type ReactNode, useId, useState } from 'react';
import fields from '../../../common/fields.module.css';
import { useLanguage } from '../../../common/texts/language.js';
import classes from './columns.module.css';
import { exampleOf, formatKeys } from './format.js';
import type { ColumnForm } from './useColumnForm.js';
import { useColumnTexts } from './useColumnTexts.js';

/** How the values are shown, with an example that follows what is typed. */
export function FormatFields({ form }: { form: ColumnForm }): ReactNode {
  const texts = useColumnTexts();
  const { ui } = useLanguage();
  const { draft, change, problem } = form;
  const [example, wrong] = [useId(), useId()];
  const [isOpen, setOpen] = useState(Object.keys(draft.format).length > 0);
  const keys = formatKeys[draft.type];
  if (!keys) return null;
  const hint =
    draft.type === 'datetime' ? texts.patternHint : keys.includes('template') ? texts.templateHint : '';
  const set = (key: string, text: string): void => {
    const value = key === 'decimals' && text !== '' ? Number(text) : text;
    const { [key]: _, ...others } = draft.format;
    change({ format: text === '' ? others : { ...others, [key]: value } });
  };
  return (
    <details
      className={classes.format}
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => setOpen(open)}
    >
      <summary>{texts.format}</summary>
      <div className={classes.entries}>
        {keys.map((key) => (
          <label key={key} className={fields.field} data-key={key}>
            <span>{texts.formats[key]}</span>
            <input
              value={String(draft.format[key] ?? '')}
              {...(key === 'decimals' ? { type: 'number', min: 0, max: 20 } : { maxLength: 200 })}
              spellCheck={false}
              aria-describedby={`${example} ${wrong}`}
              onChange={({ currentTarget: { value } }) => set(key, value)}
            />
          </label>
        ))}
        {hint && <p className={`${fields.hint} ${classes.wide}`}>{hint}</p>}
        <p id={example} className={classes.example}>
          {texts.example}: <output>{exampleOf(draft, texts, ui)}</output>
        </p>
        <p id={wrong} className={`${fields.problem} ${classes.wide}`} role="alert">
          {problem?.field === 'format' ? problem.text : ''}
        </p>
      </div>
    </details>
  );
}
