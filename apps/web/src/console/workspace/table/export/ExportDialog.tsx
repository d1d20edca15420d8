import type { ClientJob, ExportSettings, JobDetails } from '@cartulary/client';
import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Dialog } from '../../../../common/Dialog.js';
import fields from '../../../../common/fields.module.css';
import { useTexts } from '../../../../common/texts/language.js';
import { runJob } from '../../../runJob.js';
import { useSending } from '../../../useSending.js';
import { JobProgress } from '../../JobProgress.js';
import { useWorkspaceTexts } from '../../texts/useWorkspaceTexts.js';
import type { RowSource } from '../rows/source.js';
import { useTableTexts } from '../useTableTexts.js';
import { type ExportScope, encodingsOf, exportFormats, scopeSettings } from './exporting.js';

/** The layer, and the condition of its table. */
type ExportSource = Pick<RowSource, 'client' | 'path' | 'filter'>;

interface ExportDialogProps {
  source: ExportSource;
  selected: ReadonlySet<number>;
  /** Number of objects that the filter lets through; null: not known yet. */
  total: number | null;
  onClose: () => void;
}

/** Exports the objects of a layer, those of the filter, or the selected ones, in a format of choice. */
export default function ExportDialog(props: ExportDialogProps): ReactNode {
  const { source, onClose } = props;
  const texts = useTableTexts();
  const run = useExport(source);
  const [choice, setChoice] = useState<ExportChoice>(() => ({
    scope: scopesOf(props)[0]!,
    format: 'geojson',
    encoding: '',
    dialect: '',
  }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void run.start({ ...settingsOf(choice), ...scopeSettings(choice.scope, source, props.selected) });
  };
  return (
    <Dialog title={texts.exportTitle} onClose={onClose}>
      <form className={fields.form} onSubmit={submit}>
        <ChoiceFields {...props} choice={choice} onChange={setChoice} />
        <p className={fields.problem} role="alert">
          {run.problem}
        </p>
        <ExportState run={run} onClose={onClose} />
      </form>
    </Dialog>
  );
}

interface ExportChoice {
  scope: ExportScope;
  format: string;
  encoding: string;
  dialect: string;
}

/** Parameters that the format has. */
function settingsOf({ format, encoding, dialect }: ExportChoice): ExportSettings {
  return {
    format,
    ...(encoding && encodingsOf(format).includes(encoding) ? { encoding } : {}),
    ...(dialect && format === 'csv' ? { dialect } : {}),
  };
}

/** What can be exported, the likely wish first. */
const scopesOf = ({ source, selected }: ExportDialogProps): ExportScope[] => [
  ...(selected.size ? (['selected'] as const) : []),
  ...(source.filter ? (['filtered'] as const) : []),
  'all',
];

interface ChoiceFieldsProps extends ExportDialogProps {
  choice: ExportChoice;
  onChange: (choice: ExportChoice) => void;
}

function ChoiceFields({ choice, onChange, ...props }: ChoiceFieldsProps): ReactNode {
  const texts = useTableTexts();
  const { selected, total, source } = props;
  const counts = { selected: selected.size, filtered: total, all: source.filter ? null : total };
  const set = (change: Partial<ExportChoice>): void => onChange({ ...choice, ...change });
  const encodings = encodingsOf(choice.format);
  return (
    <>
      <fieldset className={fields.choices}>
        <legend>{texts.exportWhat}</legend>
        {scopesOf(props).map((scope) => (
          <label key={scope} className={fields.check}>
            <input
              type="radio"
              name="scope"
              checked={choice.scope === scope}
              onChange={() => set({ scope })}
            />
            <span>
              {texts.exportScopes[scope]}
              {counts[scope] !== null && `: ${texts.objects(counts[scope])}`}
            </span>
          </label>
        ))}
      </fieldset>
      <Select
        label={texts.exportFormat}
        value={choice.format}
        options={exportFormats}
        onChange={(format) => set({ format })}
      />
      {choice.format === 'csv' && (
        <Select
          label={texts.delimiter}
          value={choice.dialect}
          options={{
            '': texts.delimiters.semicolon,
            comma: texts.delimiters.comma,
            tab: texts.delimiters.tab,
          }}
          onChange={(dialect) => set({ dialect })}
        />
      )}
      {encodings.length > 0 && (
        <Select
          label={texts.encoding}
          value={encodings.includes(choice.encoding) ? choice.encoding : ''}
          options={{ '': texts.usualEncoding, ...Object.fromEntries(encodings.map((one) => [one, one])) }}
          onChange={(encoding) => set({ encoding })}
        />
      )}
    </>
  );
}

interface SelectProps {
  label: string;
  value: string;
  options: Readonly<Record<string, string>>;
  onChange: (value: string) => void;
}

const Select = ({ label, value, options, onChange }: SelectProps): ReactNode => (
  <label className={fields.field}>
    <span>{label}</span>
    <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {Object.entries(options).map(([code, text]) => (
        <option key={code} value={code}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

/** How far the export is, its file, and the buttons. */
function ExportState({ run, onClose }: { run: ExportRun; onClose: () => void }): ReactNode {
  const texts = useTableTexts();
  const { close } = useTexts();
  const { cancel } = useWorkspaceTexts();
  const { state, file, isBusy } = run;
  const link = useRef<HTMLAnchorElement>(null);
  // The browser takes the file at once; the link stays for a second time.
  useEffect(() => {
    if (file) link.current?.click();
  }, [file]);
  return (
    <>
      {isBusy && (
        <JobProgress job={state} label={state?.done ? texts.exportedSoFar(state.done) : texts.exporting} />
      )}
      <p role="status" className={fields.note}>
        {file && (
          <>
            {texts.exported}{' '}
            <a ref={link} href={file.path} download={file.name}>
              {file.name}
            </a>
          </>
        )}
      </p>
      <div className={fields.buttons}>
        <Button variant="default" size="md" onClick={isBusy ? run.cancel : onClose}>
          {isBusy ? cancel : close}
        </Button>
        <Button type="submit" size="md" loading={isBusy}>
          {texts.exportNow}
        </Button>
      </div>
    </>
  );
}

interface ExportedFile {
  path: string;
  name: string;
}

interface ExportRun {
  isBusy: boolean;
  problem: string;
  state: JobDetails | null;
  file: ExportedFile | null;
  start: (settings: ExportSettings) => Promise<void>;
  cancel: () => void;
}

/** An export as a job, which is cancelled when the dialog is closed before its end. */
function useExport({ client, path }: ExportSource): ExportRun {
  const texts = useTableTexts();
  const { isBusy, problem, send } = useSending({ cancelled: texts.exportCancelled });
  const [state, setState] = useState<JobDetails | null>(null);
  const [file, setFile] = useState<ExportedFile | null>(null);
  const running = useRef(new AbortController());
  const cancel = (): void => running.current.abort();
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the dialog is closed
  useEffect(() => cancel, []);
  const start = async (settings: ExportSettings): Promise<void> => {
    setFile(null);
    setState(null);
    running.current = new AbortController();
    const { signal } = running.current;
    const begin = (): Promise<ClientJob> => client.exportFile(path, settings);
    await send(async () => setFile(await runJob(begin, { signal, onState: setState })));
  };
  return { isBusy, problem, state, file, start, cancel };
}
