import { ClientError, type LayerDetails } from '@cartulary/client';
import { useEffect, useRef, useState } from 'react';
import { clientOf } from '../../client.js';
import { rights, type Workspace, type WorkspaceItem } from '../useWorkspace.js';

/** A mistake in a style, as the service tells it. */
export interface StyleProblem {
  line: number;
  column: number;
  message: string;
}

/** The saved style with its version, and the text in the editor. */
interface StyleState {
  saved: string;
  savedEtag: string;
  /** ETag of the saved version that the text was made from. */
  etag: string;
  text: string;
  problems: readonly StyleProblem[];
  /** Why the draft could not be kept, apart from mistakes in the style. */
  error: unknown;
  isBusy: boolean;
  /** The version that somebody else has saved meanwhile. */
  theirs: { css: string; etag: string } | null;
}

export interface StyleEditing extends StyleState {
  isChanged: boolean;
  change: (text: string) => void;
  /** Makes the draft the style of the layer; `over` names the version of another that it replaces. */
  save: (over?: string) => Promise<void>;
  /** Removes the draft; `present` is the version of another that is shown in its place. */
  discard: (present?: { css: string; etag: string }) => Promise<void>;
}

/** Pause after a key before the draft is sent, ms. */
const pauseMs = 300;

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
  const sending = useSending(async (css_style, signal) => {
    await client.put(draftPath, { params, body: { css_style }, signal });
    onDrawn();
  }, merge);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another layer is read anew
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let etag = '';
    const onResponse = ({ headers }: Response): void => {
      etag = headers.get('etag') ?? '';
    };
    Promise.all([
      client.get(layerPath, { params, signal, onResponse }),
      canEdit ? draftOf(client.get(draftPath, { params, signal })) : null,
    ]).then(
      ([layer, draft]) => !signal.aborted && setState(initial(layer, draft, etag)),
      (error: unknown) => !signal.aborted && setState({ ...initial({ css_style: '' }, null, ''), error }),
    );
    return () => controller.abort();
  }, [client, map.code, item.code, canEdit]);
  if (!state) return null;
  const save = async (over = state.etag): Promise<void> => {
    merge({ isBusy: true, error: null, theirs: null });
    try {
      // A draft that is stored again counts as made from the present version, so the version is named.
      await sending.now(state.text);
      let etag = '';
      await client.post(`${draftPath}publish/`, {
        params: { ...params, header: { 'if-match': over } },
        onResponse: ({ headers }) => {
          etag = headers.get('etag') ?? '';
        },
      });
      merge({ saved: state.text, savedEtag: etag, etag, isBusy: false });
      onSaved();
    } catch (error) {
      merge({ isBusy: false, ...failureOf(error) });
    }
  };
  const discard = async (present?: { css: string; etag: string }): Promise<void> => {
    const { css, etag } = present ?? { css: state.saved, etag: state.savedEtag };
    sending.stop();
    merge({ text: css, saved: css, savedEtag: etag, etag, problems: [], error: null, theirs: null });
    await client.delete(draftPath, { params }).catch(() => {}); // there may be none
    onDrawn();
  };
  const change = (text: string): void => {
    merge({ text });
    sending.later(text);
  };
  return { ...state, isChanged: state.text !== state.saved, change, save, discard };
}

function initial(
  { css_style }: Pick<LayerDetails, 'css_style'>,
  draft: StoredDraft | null,
  etag: string,
): StyleState {
  return {
    saved: css_style,
    savedEtag: etag,
    etag: draft?.base ?? etag,
    text: draft?.css_style ?? css_style,
    problems: [],
    error: null,
    isBusy: false,
    theirs: null,
  };
}

/** A draft, with the ETag of the version that it was made from. */
interface StoredDraft {
  css_style: string;
  base: string;
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
  return { theirs: { css: present.css_style, etag } };
}

/** Whether a newer text has taken the place of what was sent. */
const isAborted = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** Sends drafts one after the other, the newest alone. */
function useSending(
  send: (text: string, signal: AbortSignal) => Promise<void>,
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
  const now = async (text: string): Promise<void> => {
    stop();
    await send(text, controller.current.signal);
    merge({ problems: [], error: null });
  };
  const later = (text: string): void => {
    stop();
    timer.current = window.setTimeout(() => {
      now(text).catch((error: unknown) => !isAborted(error) && merge(failureOf(error)));
    }, pauseMs);
  };
  return { now, later, stop };
}
