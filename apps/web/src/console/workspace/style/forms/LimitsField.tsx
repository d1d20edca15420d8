import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import fieldClasses from '../../../../common/fields.module.css';
import type { LookSettings } from '../look.js';
import { valueAt, withValue } from './fields.js';
import classes from './forms.module.css';
import { useFormTexts } from './useFormTexts.js';
import type { Legend } from './useLegend.js';

/** Most limits: one more than classes. */
const most = 21;

interface LimitsFieldProps {
  legend: Legend;
  /** Keys to the limits in the settings. */
  path: string;
  settings: LookSettings;
  canEdit: boolean;
  onChange: (settings: LookSettings) => void;
}

/** The limits of classes as they are typed by hand, or a switch that takes them from the data. */
export function LimitsField({ legend, path, settings, canEdit, onChange }: LimitsFieldProps): ReactNode {
  const texts = useFormTexts();
  const given = valueAt(settings, path) as readonly number[] | null | undefined;
  const made = limitsIn(legend);
  const set = (limits: readonly number[] | undefined): void => onChange(withValue(settings, path, limits));
  return (
    <fieldset className={classes.ramps} disabled={!canEdit}>
      <label className={fieldClasses.check}>
        <input
          type="checkbox"
          checked={Boolean(given)}
          disabled={!canEdit || (!given && made.length < 2)}
          onChange={({ currentTarget: { checked } }) => set(checked ? made : undefined)}
        />
        <span>{texts.ownLimits}</span>
      </label>
      {given && <Limits limits={given} onChange={set} />}
    </fieldset>
  );
}

/** The limits of the classes that are drawn, without those that are equal. */
function limitsIn({ classificators }: Legend): number[] {
  const classed = classificators.filter(({ from }) => from !== undefined);
  const all = [...classed.map(({ from }) => from!), ...(classed.length ? [classed.at(-1)!.to!] : [])];
  return all.filter((one, i) => i === 0 || one > all[i - 1]!);
}

interface LimitsProps {
  limits: readonly number[];
  onChange: (limits: readonly number[]) => void;
}

/** A field for each limit. Limits that do not ascend are told, and not taken. */
function Limits({ limits, onChange }: LimitsProps): ReactNode {
  const texts = useFormTexts();
  const [entered, setEntered] = useState(() => limits.map(String));
  const stored = limits.join(' ');
  // Settings that come from elsewhere, such as a step back, take the place of what is shown.
  useEffect(() => {
    setEntered((before) => (before.map(Number).join(' ') === stored ? before : stored.split(' ')));
  }, [stored]);
  const change = (next: string[]): void => {
    setEntered(next);
    if (isAscending(next)) onChange(next.map(Number));
  };
  return (
    <>
      <div className={`${classes.limits} ${fieldClasses.compact}`}>
        {entered.map((text, place) => (
          <input
            // biome-ignore lint/suspicious/noArrayIndexKey: a limit keeps its field while it is typed
            key={place}
            type="number"
            step="any"
            aria-label={texts.limit(place + 1)}
            aria-invalid={!isAscending(entered)}
            value={text}
            onChange={({ currentTarget: { value } }) =>
              change(entered.map((one, i) => (i === place ? value : one)))
            }
          />
        ))}
      </div>
      <p className={fieldClasses.problem} role="alert">
        {isAscending(entered) ? '' : texts.notAscending}
      </p>
      <div className={classes.limitButtons}>
        <Button
          variant="default"
          size="compact-md"
          disabled={entered.length >= most || !isAscending(entered)}
          onClick={() => change([...entered, String(nextLimit(entered.map(Number)))])}
        >
          {texts.addLimit}
        </Button>
        <Button
          variant="default"
          size="compact-md"
          disabled={entered.length <= 2}
          onClick={() => change(entered.slice(0, -1))}
        >
          {texts.removeLimit}
        </Button>
      </div>
    </>
  );
}

const isAscending = (texts: readonly string[]): boolean =>
  texts.every((text, i) => text !== '' && (i === 0 || Number(text) > Number(texts[i - 1])));

/** As far above the last limit as that is above the one before. */
const nextLimit = (limits: readonly number[]): number => 2 * limits.at(-1)! - limits.at(-2)!;
