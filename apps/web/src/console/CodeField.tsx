import { type ReactNode, useId } from 'react';
import fields from '../common/fields.module.css';

interface CodeFieldProps {
  label: string;
  /** What a code may be. */
  hint: string;
  code: string;
  onChange: (code: string) => void;
  /** Whether it may not be left empty. */
  isRequired?: boolean;
  /** Id of the message that tells what is wrong, and whether there is one. */
  problem: { id: string; isTold: boolean };
}

/** The field of the code of something new. */
export function CodeField({ label, hint, code, onChange, isRequired, problem }: CodeFieldProps): ReactNode {
  const hintId = useId();
  return (
    <>
      <label className={fields.field}>
        <span>{label}</span>
        <input
          value={code}
          required={isRequired ?? false}
          maxLength={63}
          autoCapitalize="none"
          spellCheck={false}
          aria-describedby={`${hintId} ${problem.id}`}
          aria-invalid={problem.isTold}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </label>
      <p id={hintId} className={fields.hint}>
        {hint}
      </p>
    </>
  );
}
