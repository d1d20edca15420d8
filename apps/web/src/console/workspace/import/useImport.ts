import type { JobDetails } from '@cartulary/client';
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
  /** Whether the service has the file, so that it can be looked at again. */
  canGoBack: boolean;
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
  /** Stops what is going on. */
  cancel: () => void;
}

/** The import of one file: it is sent once, looked at as often as wanted, then stored. */
export function useImport(workspace: Workspace, file: File, first: Target): FileImport {
  const { ui: lng } = useLanguage();
  const [state, setState] = useState<ImportState>({ step: 'sending', share: 0 });
  const controller = useRef(new AbortController());
  const upload = useRef('');
  /** The storing that goes on, or has ended; null: none was begun. */
  const storing = useRef<Promise<void> | null>(null);
  const client = clientOf(workspace.project);
  const { code: map } = workspace.map;

  /** Runs a step; a step that was cancelled or replaced by another changes nothing. */
  const run = useCallback(async (work: (signal: AbortSignal) => Promise<ImportState>): Promise<void> => {
    controller.current.abort();
    const own = new AbortController();
    controller.current = own;
    const next = await work(own.signal).catch(
      (error: unknown) =>
        (before: ImportState): ImportState =>
          before.step === 'preview'
            ? { ...before, isLooking: false, problem: error }
            : failedAt(before, error, upload.current !== ''),
    );
    if (!own.signal.aborted) setState(next);
  }, []);
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
  useEffect(() => {
    void run(async (signal) => {
      const onProgress = (sent: number, total = file.size): void =>
        setState({ step: 'sending', share: total ? sent / total : 1 });
      upload.current = await client.upload({ name: file.name, source: file }, { signal, onProgress });
      const imported = { client, map, upload: upload.current, reading: asFound };
      setState({ step: 'looking' });
      return previewOf(asFound, await previewImport(imported, latest.current.first, signal));
    });
    return () => {
      controller.current.abort();
      if (upload.current) forgetUpload(client, upload.current);
      // An import that is cancelled may have been too far to be stopped.
      void storing.current?.then(() => latest.current.reload());
    };
  }, [client, map, file, run]);
  return { state, look, start, cancel: () => controller.current.abort() };
}

const previewOf = (reading: ReadingChoice, plan: ImportReport): PreviewState => ({
  step: 'preview',
  plan,
  reading,
  isLooking: false,
});

const failedAt = ({ step }: ImportState, error: unknown, canGoBack: boolean): FailedState => ({
  step: 'failed',
  error,
  canGoBack,
  isUnread: canGoBack && step === 'looking',
});

/** The preview that is there stays until the next one. */
const looking = (before: ImportState): ImportState =>
  before.step === 'preview' ? { ...before, isLooking: true, problem: undefined } : { step: 'looking' };
