import type { ReactNode } from 'react';
import { type Field, type OneFieldProps, valueAt, withValue } from './fields.js';
import classes from './forms.module.css';
import { useFormTexts } from './useFormTexts.js';

/** Colour ramps, most of them after ColorBrewer: from low to high. */
const ramps: Readonly<Record<string, readonly [string, string, string]>> = {
  ylgnbu: ['#ffffcc', '#41b6c4', '#253494'],
  reds: ['#fee5d9', '#fb6a4a', '#a50f15'],
  greens: ['#edf8e9', '#74c476', '#005a32'],
  blues: ['#eff3ff', '#6baed6', '#084594'],
  purples: ['#f2f0f7', '#9e9ac8', '#4a1486'],
  oranges: ['#feedde', '#fd8d3c', '#8c2d04'],
  heat: ['#4575b4', '#ffffbf', '#d73027'],
  earth: ['#8c510a', '#f5f5f5', '#01665e'],
};

/** Ramps to choose from, and the colours of the chosen one. */
export function RampField({
  field,
  settings,
  canEdit,
  onChange,
}: OneFieldProps<Extract<Field, { type: 'ramp' }>>): ReactNode {
  const texts = useFormTexts();
  const colors = colorsAt(settings, field);
  const set = (next: readonly string[]): void => {
    const { keys, path } = field;
    onChange(
      keys
        ? keys.reduce((all, key, i) => withValue(all, `${path}.${key}`, next[i]), settings)
        : withValue(settings, path, next),
    );
  };
  const names =
    colors.length === 3 ? [texts.from, texts.middle, texts.to] : colors.map((_, i) => String(i + 1));
  return (
    <fieldset className={classes.ramps} disabled={!canEdit}>
      <legend>{texts.labels[field.label]}</legend>
      <div className={classes.rampList}>
        {Object.entries(ramps).map(([name, ramp]) => (
          <label key={name} className={classes.ramp} title={texts.ramps[name]}>
            <input
              type="radio"
              name={field.path}
              aria-label={texts.ramps[name]}
              checked={ramp.join() === colors.join()}
              onChange={() => set(ramp)}
            />
            <span style={{ background: `linear-gradient(90deg, ${ramp.join(', ')})` }} />
          </label>
        ))}
      </div>
      <div className={classes.rampColors}>
        {colors.map((color, i) => (
          <label key={names[i]}>
            <span>{names[i]}</span>
            <input
              type="color"
              className={classes.color}
              value={color}
              onChange={(event) => set(colors.map((one, at) => (at === i ? event.currentTarget.value : one)))}
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function colorsAt(settings: OneFieldProps['settings'], field: Extract<Field, { type: 'ramp' }>): string[] {
  const { keys, path, initial } = field;
  if (!keys) return [...((valueAt(settings, path) as string[] | undefined) ?? initial)];
  return keys.map((key, i) => {
    const found = valueAt(settings, `${path}.${key}`);
    return typeof found === 'string' ? found : initial[i]!;
  });
}
