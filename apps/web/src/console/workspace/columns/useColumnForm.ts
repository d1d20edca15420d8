import { ClientError } from '@cartulary/client';
import { useEffect, useRef, useState } from 'react';
import { useLanguage } from '../../../common/texts/language.js';
import { explain } from '../../catalog/explain.js';
import { clientOf } from '../../client.js';
import { useConsoleTexts } from '../../texts/useConsoleTexts.js';
import type { Workspace, WorkspaceItem } from '../useWorkspace.js';
import {
  blankColumn,
  bodyOf,
  type ColumnDraft,
  type ColumnKey,
  differences,
  type KeptColumn,
  nameOf,
  type ReadColumn,
  readColumn,
  type StoredColumn,
  withKeys,
} from './columns.js';
import { conflictingKeys } from './conflictFields.js';
import type { Columns } from './useColumnList.js';
import { useColumnTexts } from './useColumnTexts.js';

export interface ColumnFormProps {
  workspace: Workspace;
  item: WorkspaceItem;
  columns: Columns;
  /** The column to change; null: a new one. */
  column: StoredColumn | null;
  /** What was entered before and not saved; null: nothing. */
  kept: KeptColumn | null;
  onKeep: (kept: KeptColumn | null) => void;
  onClose: () => void;
  /** Called with the title of the column that is stored. */
  onDone: (name: string) => void;
}

/** What is wrong, and the field that it is told at; null: at the end of the form. */
interface Problem {
  field: 'code' | 'format' | null;
  text: string;
}

interface FormState extends Omit<KeptColumn, 'draft'> {
  draft: ColumnDraft | null;
  isBusy: boolean;
  problem: Problem | null;
  /** The version that somebody else has saved meanwhile. */
  theirs: ReadColumn | null;
}

interface FormActions {
  change: (change: Partial<ColumnDraft>) => void;
  changeCode: (code: string) => void;
  save: () => Promise<void>;
  /** Gives up what was entered, and closes the form. */
  giveUp: () => void;
  /** Goes on with the own values of some keys over the version of the other; null: gives the own values up. */
  settle: (mine: ReadonlySet<string> | null) => void;
  /** Goes on without a choice: nothing is saved. */
  settleLater: () => void;
}

export interface ColumnForm extends FormState, FormActions {
  draft: ColumnDraft;
}

const structurePath = '/api/2.8/{project}/{map}/layers/{layer}/structure/';

/** A column that is edited, and saved to the version that it was read in. */
export function useColumnForm(props: ColumnFormProps): FormState & FormActions {
  const { column, kept, onKeep, onClose, onDone } = props;
  const explainProblem = useProblems();
  const { read, write } = useStore(props);
  const [state, setState] = useState<FormState>(() => firstState(props));
  const merge = (change: Partial<FormState>): void => setState((before) => ({ ...before, ...change }));
  const fail = (error: unknown): void => merge({ isBusy: false, problem: explainProblem(error) });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the column is read once, when the dialog opens
  useEffect(() => {
    if (!column || kept) return;
    const controller = new AbortController();
    read(controller.signal).then(
      ({ draft, etag }) => merge({ draft, stored: draft, etag }),
      (error: unknown) => !controller.signal.aborted && fail(error),
    );
    return () => controller.abort();
  }, [column?.id]);
  const { draft, stored } = state;
  useKeeping(state, onKeep);
  const giveUp = (): void => {
    onKeep(null);
    onClose();
  };
  const send = async (sent: ColumnDraft, from: ColumnDraft | null, etag: string): Promise<void> => {
    merge({ draft: sent, stored: from, etag, isBusy: true, problem: null, theirs: null });
    try {
      const { name, code } = await write(sent, from, etag);
      onKeep(null);
      onDone(nameOf({ name, code }));
    } catch (error) {
      if (!(error instanceof ClientError) || error.code !== 'changed_meanwhile') return fail(error);
      const theirs = await read().catch((reason: unknown) => fail(reason));
      if (!theirs) return;
      // Another column may have changed, or the same one in other fields: then there is nothing to choose.
      if (conflictingKeys({ base: from!, mine: sent, theirs: theirs.draft }).length)
        return merge({ isBusy: false, theirs });
      await send(withKeys(theirs.draft, sent, differences(sent, from!)), theirs.draft, theirs.etag);
    }
  };
  return {
    ...state,
    change: (change) =>
      setState((before) => ({ ...before, draft: before.draft && { ...before.draft, ...change } })),
    changeCode: (code) =>
      setState((before) => ({ ...before, ownCode: true, draft: before.draft && { ...before.draft, code } })),
    save: async () => {
      if (stored && !differences(draft!, stored).length) giveUp();
      else await send(draft!, stored, state.etag);
    },
    settle: (mine) => {
      const theirs = state.theirs!;
      const own = mine ? ownKeys({ base: stored!, mine: draft!, theirs: theirs.draft }, mine) : [];
      if (!own.length) return giveUp();
      void send(withKeys(theirs.draft, draft!, own), theirs.draft, theirs.etag);
    },
    settleLater: () => merge({ theirs: null }),
    giveUp,
  };
}

const firstState = ({ column, kept }: ColumnFormProps): FormState => ({
  draft: column ? null : blankColumn,
  stored: null,
  etag: '',
  ownCode: false,
  ...kept,
  isBusy: false,
  problem: null,
  theirs: null,
});

/** The own changes that are saved over the version of another: of the fields that both have changed the chosen ones. */
function ownKeys(versions: Parameters<typeof conflictingKeys>[0], chosen: ReadonlySet<string>): ColumnKey[] {
  const left = conflictingKeys(versions);
  return differences(versions.mine, versions.base).filter((key) => !left.includes(key) || chosen.has(key));
}

/** Keeps what is entered in the browser, as long as it differs from what is stored. */
function useKeeping({ draft, stored, etag, ownCode }: FormState, onKeep: ColumnFormProps['onKeep']): void {
  const latest = useRef(onKeep);
  latest.current = onKeep;
  useEffect(() => {
    if (!draft) return;
    const isChanged = differences(draft, stored ?? blankColumn).length > 0;
    latest.current(isChanged ? { draft, stored, etag, ownCode } : null);
  }, [draft, stored, etag, ownCode]);
}

/** Reads and writes the column of a form. */
function useStore({ workspace, item, column }: ColumnFormProps) {
  const { ui } = useLanguage();
  const { project, map } = workspace;
  const client = clientOf(project);
  const layer = { map: map.code, layer: item.code };
  const read = async (signal?: AbortSignal): Promise<ReadColumn> => {
    const options = { lng: ui, ...(signal ? { signal } : {}) };
    const found = await readColumn(client, { ...layer, column: column!.id }, options);
    if (!found) throw new ClientError('column_not_found', '', { status: 404 });
    return found;
  };
  const write = (draft: ColumnDraft, from: ColumnDraft | null, etag: string) => {
    const query = { lng: ui };
    if (!from) {
      const changed: ColumnKey[] = differences(draft, blankColumn);
      const body = { ...bodyOf(draft, changed), code: draft.code };
      return client.post(structurePath, { params: { path: layer, query }, body });
    }
    return client.patch(`${structurePath}{field}/`, {
      params: { path: { ...layer, field: String(column!.id) }, query, header: { 'if-match': etag } },
      body: bodyOf(draft, differences(draft, from)),
    });
  };
  return { read, write };
}

/** Says what is wrong with a column, and where. */
function useProblems(): (error: unknown) => Problem {
  const texts = useColumnTexts();
  const consoleTexts = useConsoleTexts();
  const { texts: common } = useLanguage();
  return (error) => {
    const codes = {
      code_taken: texts.codeTaken,
      code_invalid: texts.codeInvalid,
      code_reserved: texts.codeReserved,
    } as const;
    const { code = '', data = {} } = error instanceof ClientError ? error : {};
    if (Object.hasOwn(codes, code)) return { field: 'code', text: codes[code as keyof typeof codes] };
    const text = explain(error, consoleTexts, common);
    return { field: 'format' in data ? 'format' : null, text };
  };
}
