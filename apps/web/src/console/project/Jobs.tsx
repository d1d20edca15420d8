import '@mantine/core/styles/Progress.css';
import type { AnswerOf } from '@cartulary/client';
import { Button, Progress } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import fields from '../../common/fields.module.css';
import { useLanguage } from '../../common/texts/language.js';
import { dateAndTime } from '../../common/times.js';
import { clientOf } from '../client.js';
import { useNotes } from '../notes/useNotes.js';
import { Unloaded } from '../Unloaded.js';
import { useLoaded } from '../useLoaded.js';
import { useSending } from '../useSending.js';
import classes from './project.module.css';
import { useProjectTexts } from './texts/useProjectTexts.js';
import { useStanding } from './useStanding.js';

type Job = AnswerOf<'/api/2.8/{project}/jobs/', 'get'>[number];

/** Time between two reads while a job runs, ms. */
const readIntervalMs = 2_000;

const hasEnded = ({ state }: Job): boolean => ['done', 'failed', 'cancelled'].includes(state);

/** The imports and exports of the user: how far they are, and what they came to. */
export function Jobs({ project }: { project: string }): ReactNode {
  const texts = useProjectTexts();
  const isAdministrator = useStanding(project) !== 'everybody';
  const [isAll, setAll] = useState(false);
  const { value, error, reload } = useLoaded(`${project} ${isAll}`, (signal) =>
    clientOf(project).get('/api/2.8/{project}/jobs/', {
      params: { query: isAll ? { all: '1' } : {} },
      signal,
    }),
  );
  const { isBusy, problem, send } = useSending();
  const isRunning = value?.some((job) => !hasEnded(job)) ?? false;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(reload, readIntervalMs);
    return () => clearInterval(timer);
  }, [isRunning, reload]);
  const remove = async (job: string): Promise<void> => {
    const params = { path: { job } };
    await send(() => clientOf(project).delete('/api/2.8/{project}/jobs/{job}/', { params }));
    reload();
  };
  return (
    <>
      {isAdministrator && (
        <label className={fields.check}>
          <input type="checkbox" checked={isAll} onChange={(event) => setAll(event.currentTarget.checked)} />
          <span>{texts.jobsOfAll}</span>
        </label>
      )}
      <p className={fields.problem} role="alert">
        {problem}
      </p>
      {!value && <Unloaded error={error} project={project} onRetry={reload} />}
      {value?.length === 0 && <p className={classes.hint}>{isAll ? texts.noJobsOfAll : texts.noJobs}</p>}
      <ul className={classes.list} aria-busy={isRunning}>
        {value?.map((job) => (
          <JobItem key={job.id} job={job} isBusy={isBusy} onRemove={() => void remove(job.id)} />
        ))}
      </ul>
    </>
  );
}

interface JobItemProps {
  job: Job;
  isBusy: boolean;
  onRemove: () => void;
}

function JobItem({ job, isBusy, onRemove }: JobItemProps): ReactNode {
  const texts = useProjectTexts();
  const { ui } = useLanguage();
  const shown = useNotes();
  const file =
    job.state === 'done' && job.kind === 'export' ? (job.result as { path: string; name: string }) : null;
  const failure = job.state === 'failed' ? (job.error as { message?: string } | null)?.message : undefined;
  const of = [job.map, job.layer].filter((code) => code !== null).join(' / ');
  return (
    <li>
      <span>
        {texts.jobKinds[job.kind]} {of}
        <small>
          {texts.jobStates[job.state]}, {dateAndTime(ui).format(new Date(job.created))}
          {job.login != null && `, ${job.login}`}
        </small>
        {failure && <small className={fields.problem}>{shown(failure)}</small>}
        {!hasEnded(job) && (
          <Progress
            value={job.percent ?? 100}
            animated={job.percent === null}
            aria-label={texts.jobStates[job.state]}
          />
        )}
      </span>
      {file && (
        <Button component="a" variant="light" size="compact-md" href={file.path} download={file.name}>
          {texts.download}
        </Button>
      )}
      <Button variant="subtle" size="compact-md" disabled={isBusy} onClick={onRemove}>
        {hasEnded(job) ? texts.forget : texts.cancelJob}
      </Button>
    </li>
  );
}
