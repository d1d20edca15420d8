import '@mantine/core/styles/Slider.css';
import { ActionIcon, RangeSlider } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import fields from '../../../common/fields.module.css';
import { IconPlayerPause, IconPlayerPlay } from '../../../common/icons.js';
import { useToolTexts } from '../useToolTexts.js';
import type { FilterFieldProps } from './filterField.js';
import classes from './objects.module.css';

/** Steps of the slider over the whole time. */
const steps = 200;
const dayMs = 86_400_000;
/** Time between two steps of the playing slider, ms. */
const playMs = 700;

/** A slider over the time of a column, which can play. */
export function TimeFilter({ column, statistics, filter, onChange, language }: FilterFieldProps): ReactNode {
  const texts = useToolTexts();
  const [first, last] = [Date.parse(String(statistics.min)), Date.parse(String(statistics.max))];
  const span = last - first;
  const positionOf = (text: unknown, other: number): number =>
    typeof text === 'string' && span ? Math.round(((Date.parse(text) - first) / span) * steps) : other;
  const [range, setRange] = useState<[number, number]>(() => [
    positionOf(filter?.from, 0),
    positionOf(filter?.to, steps),
  ]);
  const timeOf = (position: number): number =>
    position >= steps ? last : Math.round(first + (span * position) / steps);
  const show = (next: [number, number]): void => {
    setRange(next);
    const isAll = next[0] === 0 && next[1] === steps;
    const [from, to] = next.map((position) => new Date(timeOf(position)).toISOString()) as [string, string];
    onChange(isAll ? null : { column: column.code, from, to });
  };
  const { isPlaying, toggle } = usePlaying(range, show);
  if (!Number.isFinite(span)) return <p className={fields.hint}>{texts.noValues}</p>;
  const format = new Intl.DateTimeFormat(
    language,
    span > 3 * dayMs ? { dateStyle: 'medium', timeZone: 'UTC' } : { dateStyle: 'short', timeStyle: 'short' },
  );
  const label = (position: number): string => format.format(timeOf(position));
  return (
    <fieldset className={classes.time}>
      <legend>{column.name || column.code}</legend>
      <output>
        {label(range[0])} – {label(range[1])}
      </output>
      <div className={classes.slider}>
        <ActionIcon
          variant="light"
          size={44}
          aria-label={isPlaying ? texts.pause : texts.play}
          title={isPlaying ? texts.pause : texts.play}
          onClick={toggle}
        >
          {isPlaying ? <IconPlayerPause size={20} /> : <IconPlayerPlay size={20} />}
        </ActionIcon>
        <RangeSlider
          flex={1}
          size="md"
          min={0}
          max={steps}
          minRange={0}
          label={null}
          value={range}
          onChange={show}
          thumbFromLabel={texts.from}
          thumbToLabel={texts.to}
          thumbProps={(thumb) => ({ 'aria-valuetext': label(range[thumb]) })}
        />
      </div>
    </fieldset>
  );
}

/** Moves a range step by step to the end, and then from the beginning again. */
function usePlaying(range: [number, number], show: (range: [number, number]) => void) {
  const [isPlaying, setPlaying] = useState(false);
  const move = (): void => {
    // The whole time has nowhere to go: a tenth of it is shown then.
    const width = Math.min(range[1] - range[0], steps / 2) || steps / 10;
    const isWhole = range[1] - range[0] >= steps;
    const by = Math.max(1, Math.round(steps / 40));
    const from = isWhole || range[1] >= steps ? 0 : Math.min(range[0] + by, steps - width);
    show([from, from + (isWhole ? steps / 10 : width)]);
  };
  const latest = useRef(move);
  latest.current = move;
  useEffect(() => {
    if (!isPlaying) return;
    latest.current();
    const timer = setInterval(() => latest.current(), playMs);
    return () => clearInterval(timer);
  }, [isPlaying]);
  return { isPlaying, toggle: () => setPlaying((before) => !before) };
}
