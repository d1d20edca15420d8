import type { JobDetails } from '@cartulary/client';
import type { ReactNode } from 'react';
import { useLanguage } from '../../common/texts/language.js';
import classes from './jobProgress.module.css';

/** How far a phase of a job is, percent; null: not known. */
export function percentOf({ percent, done, total }: JobDetails): number | null {
  return percent ?? (total && done !== null ? Math.floor((100 * done) / total) : null);
}

interface JobProgressProps {
  /** null: it has not begun. */
  job: JobDetails | null;
  label: string;
}

/** What is going on, and how far it is. */
export const JobProgress = ({ job, label }: JobProgressProps): ReactNode => (
  <Progress label={label} percent={job && percentOf(job)} />
);

interface ProgressProps {
  label: string;
  /** null: not known. */
  percent: number | null;
}

export function Progress({ label, percent }: ProgressProps): ReactNode {
  const { ui } = useLanguage();
  const share = new Intl.NumberFormat(ui, { style: 'percent' });
  return (
    <div className={classes.progress}>
      <p role="status">{label}</p>
      <progress aria-label={label} max={100} {...(percent === null ? {} : { value: percent })} />
      <span>{percent === null ? '' : share.format(percent / 100)}</span>
    </div>
  );
}
