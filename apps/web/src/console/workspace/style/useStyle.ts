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
}

/** Pause after a change before the draft is sent, ms. */
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
      (error: unknown) => !signal.aborted && setState({ ...initial({ css_style: '' }, null, ''), error }),
    );
    return () => controller.abort();
  }, [client, map.code, item.code, canEdit]);
  if (!state) return null;
  const save = async (over = state.etag): Promise<void> => {
    merge({ isBusy: true, error: null, theirs: null });
    try {
      // A draft that is stored again counts as made from the present version, so the version is named.
      await sending.now(state.look);
      let etag = '';
      await client.post(`${draftPath}publish/`, {
        params: { ...params, header: { 'if-match': over } },
        onResponse: ({ headers }) => {
          etag = headers.get('etag') ?? '';
        },
      });
      merge({ saved: state.look, savedEtag: etag, etag, isBusy: false });
      onSaved();
    } catch (error) {
      merge({ isBusy: false, ...failureOf(error) });
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
  return { ...state, isChanged: !isSameLook(state.look, state.saved), change, save, discard };
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
  let etag = '';
  const onResponse = ({ headers }: Response): void => {
    etag = headers.get('etag') ?? '';
  };
  const [layer, draft] = await Promise.all([
    client.get(layerPath, { params, signal, onResponse }),
    canEdit ? draftOf(client.get(draftPath, { params, signal })) : null,
  ]);
  return initial(layer, draft, etag);
}

function initial(layer: Parameters<typeof lookOf>[0], draft: StoredDraft | null, etag: string): StyleState {
  const saved = lookOf(layer);
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
    timer.current = window.setTimeout(() => {
      now(look).catch((error: unknown) => !isAborted(error) && merge(failureOf(error)));
    }, pauseMs);
  };
  return { now, later, stop };
}
