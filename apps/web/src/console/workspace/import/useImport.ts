import { ClientError, type JobDetails } from '@cartulary/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLanguage } from '../../../common/texts/language.js';
import { clientOf } from '../../client.js';
import type { Workspace } from '../useWorkspace.js';
import {
  asFound,
  carryOut,
  forgetUpload,
  type ImportReport,
  previewImport,
  type ReadingChoice,
  type Target,
} from './importing.js';

/** What a file holds, as it is read with the choices of `reading`. */
interface PreviewState {
  step: 'preview';
  plan: ImportReport;
  reading: ReadingChoice;
  /** Whether the file is being looked at with other choices. */
  isLooking: boolean;
  /** Why the file cannot be read with other choices. */
  problem?: unknown;
}

interface FailedState {
  step: 'failed';
  error: unknown;
  /** What has failed. */
  during: ImportState['step'];
  /** Whether the file could not be read, so that there is no preview with other choices of reading. */
  isUnread: boolean;
}

/** How far the import of a file is. */
export type ImportState =
  | { step: 'sending'; share: number }
  | { step: 'looking' }
  | PreviewState
  | { step: 'storing'; job: JobDetails | null }
  | { step: 'done'; report: ImportReport; layer: string }
  | FailedState;

export interface FileImport {
  state: ImportState;
  /** Looks at the file anew, with another reading or for another target. The preview stays meanwhile, and if that fails. */
  look: (reading: ReadingChoice, target: Target) => void;
  start: (reading: ReadingChoice, target: Target) => void;
  /** Sends the file again, and looks at it as it is found. */
  sendAgain: () => void;
  /** Stops what is going on. */
  cancel: () => void;
}

/** The import of one file: it is sent once, looked at as often as wanted, then stored. */
export function useImport(workspace: Workspace, file: File, first: Target): FileImport {
  const { ui: lng } = useLanguage();
  const [state, setState] = useState<ImportState>({ step: 'sending', share: 0 });
  const { run, cancel } = useRunning(setState);
  const upload = useRef('');
  /** The storing that goes on, or has ended; null: none was begun. */
  const storing = useRef<Promise<void> | null>(null);
  const client = clientOf(workspace.project);
  const { code: map } = workspace.map;

  const look = (reading: ReadingChoice, target: Target): void => {
    setState(looking);
    void run(async (signal) => {
      const imported = { client, map, upload: upload.current, reading };
      return previewOf(reading, await previewImport(imported, target, signal));
    });
  };
  const start = (reading: ReadingChoice, target: Target): void => {
    setState({ step: 'storing', job: null });
    storing.current = run(async (signal) => {
      const onState = (job: JobDetails): void => setState({ step: 'storing', job });
      const imported = { client, map, upload: upload.current, reading };
      return { step: 'done', ...(await carryOut(imported, target, { lng, signal, onState })) };
    });
  };
  const latest = useRef({ first, reload: workspace.reload });
  latest.current = { first, reload: workspace.reload };
  const send = useCallback(
    () =>
      void run(async (signal) => {
        const onProgress = (sent: number, total = file.size): void =>
          setState({ step: 'sending', share: total ? sent / total : 1 });
        onProgress(0);
        upload.current = await client.upload({ name: file.name, source: file }, { signal, onProgress });
        const imported = { client, map, upload: upload.current, reading: asFound };
        setState({ step: 'looking' });
        return previewOf(asFound, await previewImport(imported, latest.current.first, signal));
      }),
    [client, map, file, run],
  );
  useEffect(() => {
    send();
    return () => {
      cancel();
      if (upload.current) forgetUpload(client, upload.current);
      // An import that is cancelled may have been too far to be stopped.
      void storing.current?.then(() => latest.current.reload());
    };
  }, [client, send, cancel]);
  return { state, look, start, sendAgain: send, cancel };
}

type Work = (signal: AbortSignal) => Promise<ImportState>;

/** Runs one step at a time; a step that was cancelled or replaced by another changes nothing. */
function useRunning(setState: (next: ImportState | ((before: ImportState) => ImportState)) => void) {
  const controller = useRef(new AbortController());
  const run = useCallback(
    async (work: Work): Promise<void> => {
      controller.current.abort();
      const own = new AbortController();
      controller.current = own;
      const next = await work(own.signal).catch(
        (error: unknown) =>
          (before: ImportState): ImportState =>
            before.step === 'preview'
              ? { ...before, isLooking: false, problem: error }
              : failedAt(before, error),
      );
      if (!own.signal.aborted) setState(next);
    },
    [setState],
  );
  const cancel = useCallback((): void => controller.current.abort(), []);
  return { run, cancel };
}

const previewOf = (reading: ReadingChoice, plan: ImportReport): PreviewState => ({
  step: 'preview',
  plan,
  reading,
  isLooking: false,
});

const failedAt = ({ step }: ImportState, error: unknown): FailedState => ({
  step: 'failed',
  error,
  during: step,
  isUnread: step === 'looking' && !isOfService(error),
});

/** Whether an error says nothing about the file: the service could not answer. */
const isOfService = (error: unknown): boolean =>
  error instanceof ClientError &&
  ['unreachable', 'unexpected', 'internal', 'busy', 'too_many_requests'].includes(error.code);

/** The preview that is there stays until the next one. */
const looking = (before: ImportState): ImportState =>
  before.step === 'preview' ? { ...before, isLooking: true, problem: undefined } : { step: 'looking' };
