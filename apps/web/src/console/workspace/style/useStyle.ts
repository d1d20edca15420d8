import { type CartularyClient, ClientError, type LayerDetails } from '@cartulary/client';
import { useEffect, useRef, useState } from 'react';
import { clientOf } from '../../client.js';
import { rights, type Workspace, type WorkspaceItem } from '../useWorkspace.js';
import { changeTo, isSameLook, type Look, lookOf, type StoredDraft } from './look.js';

/** A mistake in a style, as the service tells it. */
export interface StyleProblem {
  line: number;
  column: number;
  message: string;
  /** Correct input at this place. */
  expected?: string;
}

/** The saved look with its version, and the one that is edited. */
interface StyleState {
  saved: Look;
  savedEtag: string;
  /** ETag of the saved version that the draft was made from. */
  etag: string;
  look: Look;
  /** Counts stored drafts: legends and statistics of older ones are outdated. */
  version: number;
  problems: readonly StyleProblem[];
  /** Why the draft could not be kept, apart from mistakes in the style. */
  error: unknown;
  isBusy: boolean;
  /** The version that somebody else has saved meanwhile. */
  theirs: SavedLook | null;
}

interface SavedLook {
  look: Look;
  etag: string;
}

export interface StyleEditing extends StyleState {
  isChanged: boolean;
  /** Takes another look. With mistakes that are known already it is not sent. */
  change: (look: Look, problems?: readonly StyleProblem[]) => void;
  /** Makes the draft the style of the layer; `over` names the version of another that it replaces. */
  save: (over?: string) => Promise<void>;
  /** Removes the draft; `present` is the version of another that is shown in its place. */
  discard: (present?: SavedLook) => Promise<void>;
  /** Closes the question which of both versions to keep: the draft stays. */
  settleLater: () => void;
}

/** Pause after a change before the draft is sent, ms, while changes follow each other: the first one is sent at once. */
const pauseMs = 120;

const layerPath = '/api/2.8/{project}/{map}/layers/{layer}/';
const draftPath = `${layerPath}draft/` as const;

interface StyleContext {
  workspace: Workspace;
  item: WorkspaceItem;
  /** Called when another draft is stored: the map is drawn anew. */
  onDrawn: () => void;
  onSaved: () => void;
}

/** The style of a layer: what is typed becomes a draft, which the user alone sees, until it is saved. Null until it is read. */
export function useStyle({ workspace, item, onDrawn, onSaved }: StyleContext): StyleEditing | null {
  const { project, map } = workspace;
  const canEdit = item.access >= rights.edit;
  const client = clientOf(project);
  const params = { path: { map: map.code, layer: item.code } };
  const [state, setState] = useState<StyleState | null>(null);
  const merge = (change: Partial<StyleState>): void => setState((now) => now && { ...now, ...change });
  const sending = useSending(async (look, signal) => {
    const { css_style } = await client.put(draftPath, { params, body: changeTo(look), signal });
    setState((now) => now && afterStoring(now, look, css_style));
    onDrawn();
  }, merge);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another layer is read anew
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    readState(client, params, { canEdit, signal }).then(
      (read) => !signal.aborted && setState(read),
      (error: unknown) =>
        !signal.aborted &&
        setState({ ...initial({ look: { kind: 'css', css: '' }, etag: '' }, null), error }),
    );
    return () => controller.abort();
  }, [client, map.code, item.code, canEdit]);
  useNewerSaved(workspace.version, (signal) => readSaved(client, params, signal), setState);
  if (!state) return null;
  const save = async (over = state.etag): Promise<void> => {
    merge({ isBusy: true, error: null, theirs: null });
    try {
      // A draft that is stored again counts as made from the present version, so the version is named.
      await sending.now(state.look);
      const etag = await publish(client, params, over);
      merge({ saved: state.look, savedEtag: etag, etag, isBusy: false });
      onSaved();
    } catch (error) {
      const failure = failureOf(error);
      const { theirs } = failure;
      // Something else of the layer has changed: then there is nothing to choose.
      if (theirs && isSameLook(theirs.look, state.saved)) return save(theirs.etag);
      merge({ isBusy: false, ...failure });
    }
  };
  const discard = async (present?: SavedLook): Promise<void> => {
    const { look, etag } = present ?? { look: state.saved, etag: state.savedEtag };
    sending.stop();
    merge({ look, saved: look, savedEtag: etag, etag, problems: [], error: null, theirs: null });
    await client.delete(draftPath, { params }).catch(() => {}); // there may be none
    setState((now) => now && { ...now, version: now.version + 1 });
    onDrawn();
  };
  const change = (look: Look, problems: readonly StyleProblem[] = []): void => {
    merge({ look, problems });
    if (problems.length) sending.stop();
    else sending.later(look);
  };
  const isChanged = !isSameLook(state.look, state.saved);
  return { ...state, isChanged, change, save, discard, settleLater: () => merge({ theirs: null }) };
}

/** Makes the draft the style of the layer, over a version. Gives the new version. */
async function publish(
  client: CartularyClient,
  params: { path: { map: string; layer: string } },
  over: string,
): Promise<string> {
  let etag = '';
  await client.post(`${draftPath}publish/`, {
    params: { ...params, header: { 'if-match': over } },
    onResponse: ({ headers }) => {
      etag = headers.get('etag') ?? '';
    },
  });
  return etag;
}

/** The state after a draft is stored. The service has written the CartoCSS of a simple style. */
function afterStoring(now: StyleState, stored: Look, css: string): StyleState {
  const isSimple = now.look === stored && stored.kind === 'simple';
  return { ...now, version: now.version + 1, look: isSimple ? { ...stored, css } : now.look };
}

/** Reads the style of a layer, and the draft of a user who may make one. */
async function readState(
  client: CartularyClient,
  params: { path: { map: string; layer: string } },
  { canEdit, signal }: { canEdit: boolean; signal: AbortSignal },
): Promise<StyleState> {
  const [saved, draft] = await Promise.all([
    readSaved(client, params, signal),
    canEdit ? draftOf(client.get(draftPath, { params, signal })) : null,
  ]);
  return initial(saved, draft);
}

async function readSaved(
  client: CartularyClient,
  params: { path: { map: string; layer: string } },
  signal: AbortSignal,
): Promise<SavedLook> {
  let etag = '';
  const onResponse = ({ headers }: Response): void => {
    etag = headers.get('etag') ?? '';
  };
  const layer = await client.get(layerPath, { params, signal, onResponse });
  return { look: lookOf(layer), etag };
}

/** Reads the saved style again with another version of the workspace. */
function useNewerSaved(
  version: number,
  read: (signal: AbortSignal) => Promise<SavedLook>,
  setState: (change: (now: StyleState | null) => StyleState | null) => void,
): void {
  const known = useRef(version);
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    if (known.current === version) return;
    known.current = version;
    const controller = new AbortController();
    latest.current(controller.signal).then(
      (present) => controller.signal.aborted || setState((now) => now && withSaved(now, present)),
      () => {}, // the workspace says that the layer is gone, or the service does not answer
    );
    return () => controller.abort();
  }, [version, setState]);
}

/** The state with the style that is saved by now: it is shown where there is no draft, else both are there to choose from. */
function withSaved(now: StyleState, present: SavedLook): StyleState {
  if (present.etag === now.savedEtag || isSameLook(present.look, now.saved)) return now;
  if (!isSameLook(now.look, now.saved)) return { ...now, theirs: present };
  const { look, etag } = present;
  return { ...now, look, saved: look, savedEtag: etag, etag, version: now.version + 1 };
}

function initial({ look: saved, etag }: SavedLook, draft: StoredDraft | null): StyleState {
  return {
    saved,
    savedEtag: etag,
    etag: draft?.base ?? etag,
    look: draft ? lookOf(draft) : saved,
    version: 0,
    problems: [],
    error: null,
    isBusy: false,
    theirs: null,
  };
}

/** A draft that is read; null: there is none. */
const draftOf = (reading: Promise<StoredDraft>): Promise<StoredDraft | null> =>
  reading.catch((error: unknown) =>
    error instanceof ClientError && error.status === 404 ? null : Promise.reject(error),
  );

function failureOf(error: unknown): Partial<StyleState> {
  if (!(error instanceof ClientError)) return { error };
  if (error.code === 'style_invalid')
    return { problems: (error.data.problems as StyleProblem[] | undefined) ?? [], error: null };
  if (error.code !== 'changed_meanwhile') return { error };
  const { present, etag } = error.data as { present: LayerDetails; etag: string };
  return { theirs: { look: lookOf(present), etag } };
}

/** Whether a newer look has taken the place of what was sent. */
const isAborted = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** Sends drafts one after the other, the newest alone. */
function useSending(
  send: (look: Look, signal: AbortSignal) => Promise<void>,
  merge: (change: Partial<StyleState>) => void,
) {
  const timer = useRef(0);
  const changedAt = useRef(0);
  const controller = useRef(new AbortController());
  useEffect(() => () => clearTimeout(timer.current), []);
  const stop = (): void => {
    clearTimeout(timer.current);
    controller.current.abort();
    controller.current = new AbortController();
  };
  const now = async (look: Look): Promise<void> => {
    stop();
    await send(look, controller.current.signal);
    merge({ problems: [], error: null });
  };
  const later = (look: Look): void => {
    stop();
    const before = changedAt.current;
    changedAt.current = performance.now();
    timer.current = window.setTimeout(
      () => {
        now(look).catch((error: unknown) => !isAborted(error) && merge(failureOf(error)));
      },
      changedAt.current - before > 2 * pauseMs ? 0 : pauseMs,
    );
  };
  return { now, later, stop };
}
