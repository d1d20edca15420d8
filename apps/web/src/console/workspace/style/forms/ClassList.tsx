import type { ReactNode } from 'react';
import { address } from '../../../../common/base.js';
import fieldClasses from '../../../../common/fields.module.css';
import { useLanguage } from '../../../../common/texts/language.js';
import type { LookSettings } from '../look.js';
import { valueAt, withValue } from './fields.js';
import classes from './forms.module.css';
import { useFormTexts } from './useFormTexts.js';
import type { Legend, LegendEntry } from './useLegend.js';

interface ClassListProps {
  legend: Legend;
  /** The version of the draft that the legend is of. */
  version: number;
  /** The parts of the address of the legend. */
  parts: readonly string[];
  /** The class that was pointed at, from 1; 0: none of them. */
  current: number | null;
  /** Of categories, which are edited in the list; null: they are only shown. */
  editing: {
    settings: LookSettings;
    icons: readonly string[];
    onChange: (settings: LookSettings) => void;
  } | null;
}

/** The legend as the draft has it. */
export function ClassList({ legend, version, parts, current, editing }: ClassListProps): ReactNode {
  const { ui, texts: common } = useLanguage();
  const texts = useFormTexts();
  const labelOf = ({ label }: LegendEntry): string => label ?? (editing ? common.others : common.noData);
  const isCurrent = ({ label }: LegendEntry, place: number): boolean =>
    current === 0 ? label === null : current === place + 1;
  return (
    <section className={classes.legend} aria-label={texts.legend}>
      <h3>{texts.legend}</h3>
      <ul>
        {legend.classificators.map((entry, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a class keeps its fields when its colour changes
          <li key={place} aria-current={isCurrent(entry, place) || undefined}>
            <Swatch parts={[...parts, String(place)]} version={version} size={legend.swatchSize} />
            <span className={classes.className}>{labelOf(entry)}</span>
            {editing && (
              <CategoryFields
                entry={entry}
                label={labelOf(entry)}
                legend={legend}
                place={place}
                editing={editing}
              />
            )}
            {entry.count !== null && <span className={classes.count}>{entry.count.toLocaleString(ui)}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

const maxSwatchPx = 40;

/** The picture of a class, drawn by the service with the draft. */
function Swatch({
  parts,
  version,
  size,
}: {
  parts: readonly string[];
  version: number;
  size: number;
}): ReactNode {
  const width = Math.min(maxSwatchPx, Math.max(16, size));
  const src = address([...parts, 'icon'], { size: Math.min(512, 2 * width), draft: 1 });
  // The fragment makes the browser ask anew for another version.
  return <img src={`${src}#${version}`} width={width} height={width} alt="" />;
}

interface Category {
  value: unknown;
  color: string;
  icon: string;
  useIcon: boolean;
  checked: boolean;
}

interface CategoryFieldsProps {
  entry: LegendEntry;
  label: string;
  legend: Legend;
  place: number;
  editing: NonNullable<ClassListProps['editing']>;
}

/** Colour and icon of a category, and whether it is drawn. */
function CategoryFields({ entry, label, legend, place, editing }: CategoryFieldsProps): ReactNode {
  const texts = useFormTexts();
  const { settings, icons, onChange } = editing;
  const own = categoriesOf(settings, legend);
  const isRest = entry.label === null;
  const category = isRest ? restOf(settings) : own[place];
  if (!category) return null;
  const change = (part: Partial<Category>): void => {
    const changed = { ...category, ...part };
    const at = isRest ? 'classesSettings.defaultClass' : 'classesSettings.classes';
    const next = isRest ? changed : own.map((one, i) => (i === place ? changed : one));
    const named = withValue(settings, 'classesSettings.computed', false);
    onChange(withValue(isRest ? named : withValue(named, 'classesCount', Math.max(1, own.length)), at, next));
  };
  return (
    <span className={`${classes.category} ${fieldClasses.compact}`}>
      <input
        type="color"
        className={classes.color}
        aria-label={texts.colorOf(label)}
        value={category.color}
        onChange={(event) => change({ color: event.currentTarget.value })}
      />
      <select
        aria-label={texts.iconOf(label)}
        value={category.useIcon ? category.icon : ''}
        onChange={({ currentTarget: { value } }) => change({ icon: value, useIcon: value !== '' })}
      >
        <option value="">●</option>
        {icons.map((icon) => (
          <option key={icon}>{icon}</option>
        ))}
      </select>
      <input
        type="checkbox"
        aria-label={texts.shownOf(label)}
        checked={category.checked}
        onChange={(event) => change({ checked: event.currentTarget.checked })}
      />
    </span>
  );
}

/** The categories of the settings, else those that the service has made. */
function categoriesOf(settings: LookSettings, { classificators }: Legend): Category[] {
  const given = valueAt(settings, 'classesSettings.classes') as Partial<Category>[] | undefined;
  const made = classificators.filter(({ label }) => label !== null);
  return made.map(({ value, fill }, i) => {
    const known = given?.find((one) => one.value === value) ?? given?.[i];
    return {
      value,
      color: known?.color ?? fill,
      icon: known?.icon ?? '',
      useIcon: known?.useIcon ?? false,
      checked: known?.checked ?? true,
    };
  });
}

function restOf(settings: LookSettings): Category {
  const known = valueAt(settings, 'classesSettings.defaultClass') as Partial<Category> | undefined;
  return { value: null, color: '#bdbdbd', icon: '', useIcon: false, checked: true, ...known };
}
