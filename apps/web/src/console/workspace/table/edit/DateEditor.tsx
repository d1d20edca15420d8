import { type ReactNode, useEffect, useRef } from 'react';
import { useTableTexts } from '../useTableTexts.js';

interface DateEditorProps {
  label: string;
  /** ISO 8601, empty, or what could not be stored. */
  text: string;
  onText: (text: string) => void;
  /** Whether it gets the focus when it opens. */
  isFirst?: boolean;
}

/** Date and time of a cell. Without a time it is the day: midnight in UTC, as cells show it. */
export function DateEditor({ label, text, onText, isFirst = false }: DateEditorProps): ReactNode {
  const { time: timeLabel } = useTableTexts();
  const field = useRef<HTMLInputElement>(null);
  const { date, time } = partsOf(text);
  useEffect(() => {
    if (isFirst) field.current?.focus();
  }, [isFirst]);
  const change = (next: { date: string; time: string }): void => onText(textOf(next));
  return (
    <>
      <input
        ref={field}
        type="date"
        aria-label={label}
        value={date}
        onChange={({ currentTarget }) => change({ date: currentTarget.value, time })}
      />
      <input
        type="time"
        step={1}
        aria-label={timeLabel}
        value={time}
        onChange={({ currentTarget }) => change({ date, time: currentTarget.value })}
      />
    </>
  );
}

const two = (n: number): string => String(n).padStart(2, '0');

/** Date and time of day in the zone of the user; no time at midnight in UTC. */
function partsOf(text: string): { date: string; time: string } {
  const at = new Date(text);
  if (text === '' || Number.isNaN(at.getTime())) return { date: '', time: '' };
  if (at.getTime() % 86_400_000 === 0) return { date: at.toISOString().slice(0, 10), time: '' };
  const date = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return { date, time: `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}` };
}

function textOf({ date, time }: { date: string; time: string }): string {
  if (!date) return '';
  if (!time) return `${date}T00:00:00.000Z`;
  const at = new Date(`${date}T${time}`);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}
