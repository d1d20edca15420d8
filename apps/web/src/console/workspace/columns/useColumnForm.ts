import { ClientError } from '@cartulary/client';
import { useEffect, useState } from 'react';
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
  languagesOf,
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
  onClose: () => void;
  /** Called with the title of the column that is stored. */
  onDone: (name: string) => void;
}

/** What is wrong, and the field that it is told at; null: at the end of the form. */
interface Problem {
  field: 'code' | 'format' | null;
  text: string;
}

interface FormState {
  draft: ColumnDraft | null;
  /** The version that the changes are made from; null: a new column. */
  stored: ColumnDraft | null;
  etag: string;
  /** Whether the code of a new column no longer follows its title. */
  ownCode: boolean;
  isBusy: boolean;
  problem: Problem | null;
  /** The version that somebody else has saved meanwhile. */
  theirs: ReadColumn | null;
}

interface FormActions {
  change: (change: Partial<ColumnDraft>) => void;
  changeCode: (code: string) => void;
  save: () => Promise<void>;
  /** Goes on with the own values of some keys over the version of the other; null: gives the own values up. */
  settle: (mine: ReadonlySet<string> | null) => void;
}

export interface ColumnForm extends FormState, FormActions {
  draft: ColumnDraft;
}

const structurePath = '/api/2.8/{project}/{map}/layers/{layer}/structure/';

/** A column that is edited, and saved to the version that it was read in. */
export function useColumnForm(props: ColumnFormProps): FormState & FormActions {
  const { column, onClose, onDone } = props;
  const explainProblem = useProblems();
  const { read, write } = useStore(props);
  const [state, setState] = useState<FormState>({
    draft: column ? null : blankColumn,
    stored: null,
    etag: '',
    ownCode: false,
    isBusy: false,
    problem: null,
    theirs: null,
  });
  const merge = (change: Partial<FormState>): void => setState((before) => ({ ...before, ...change }));
  const fail = (error: unknown): void => merge({ isBusy: false, problem: explainProblem(error) });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the column is read once, when the dialog opens
  useEffect(() => {
    if (!column) return;
    const controller = new AbortController();
    read(controller.signal).then(
      ({ draft, etag }) => merge({ draft, stored: draft, etag }),
      (error: unknown) => !controller.signal.aborted && fail(error),
    );
    return () => controller.abort();
  }, [column?.id]);
  const { draft, stored } = state;
  const send = async (sent: ColumnDraft, from: ColumnDraft | null, etag: string): Promise<void> => {
    merge({ draft: sent, stored: from, etag, isBusy: true, problem: null, theirs: null });
    try {
      onDone(nameOf(await write(sent, from, etag)));
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
      if (stored && !differences(draft!, stored).length) onClose();
      else await send(draft!, stored, state.etag);
    },
    settle: (mine) => {
      const { theirs } = state;
      if (!mine) return onClose();
      const left = conflictingKeys({ base: stored!, mine: draft!, theirs: theirs!.draft });
      const kept = differences(draft!, stored!).filter((key) => !left.includes(key) || mine.has(key));
      if (!kept.length) return onClose();
      void send(withKeys(theirs!.draft, draft!, kept), theirs!.draft, theirs!.etag);
    },
  };
}

/** Reads and writes the column of a form. */
function useStore({ workspace, item, column }: ColumnFormProps) {
  const { ui } = useLanguage();
  const { project, map } = workspace;
  const client = clientOf(project);
  const layer = { map: map.code, layer: item.code };
  const read = async (signal?: AbortSignal): Promise<ReadColumn> => {
    const options = { languages: languagesOf(workspace, ui), ...(signal ? { signal } : {}) };
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
