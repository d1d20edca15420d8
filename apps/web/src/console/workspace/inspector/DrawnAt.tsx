import { ClientError, type LayerDetails } from '@cartulary/client';
import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import fields from '../../../common/fields.module.css';
import { clientOf } from '../../client.js';
import { useSending } from '../../useSending.js';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import type { Changes } from '../useChanges.js';
import { rights, type Workspace, type WorkspaceItem } from '../useWorkspace.js';
import { Conflict } from './Conflict.js';
import classes from './inspector.module.css';
import type { StoredRecord } from './useRecord.js';

type Layer = StoredRecord<LayerDetails>;

/** The settings of a layer that its form has, with their limits; `initial` stands for a missing one. */
const settings = [
  { key: 'minZoom', label: 'fromZoom', min: 0, max: 24, step: 1, initial: 0 },
  { key: 'maxZoom', label: 'toZoom', min: 0, max: 24, step: 1, initial: 24 },
  { key: 'opacity', label: 'opacity', min: 0, max: 1, step: 0.05, initial: 1 },
] as const;
type Key = (typeof settings)[number]['key'];
type Values = Partial<Record<Key, string>>;

interface DrawnAtProps {
  workspace: Workspace;
  item: WorkspaceItem;
  /** The layer as it is stored. */
  record: Layer;
  changes: Changes;
}

/** At which zoom levels the layer is drawn, and how much of what lies below it shines through. */
export function DrawnAt(props: DrawnAtProps): ReactNode {
  const { item, record } = props;
  const texts = useWorkspaceTexts();
  const problemId = useId();
  const { values, theirs, isChanged, isBusy, problem, enter, save, settle, giveUp } = useDrawnAt(props);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save();
  };
  return (
    <form className={fields.form} onSubmit={submit} aria-label={texts.drawnAt}>
      <h3 className={classes.part}>{texts.drawnAt}</h3>
      <div className={classes.numbers}>
        {settings.map(({ key, label, initial: _, ...limits }) => (
          <label key={key} className={fields.field}>
            <span>{texts[label]}</span>
            <input
              type="number"
              {...limits}
              required
              readOnly={item.access < rights.edit}
              aria-describedby={problemId}
              value={values[key] ?? settingOf(record, key)}
              onChange={({ currentTarget: { value } }) => enter(key, value)}
            />
          </label>
        ))}
      </div>
      <p id={problemId} className={fields.problem} role="alert">
        {problem}
      </p>
      {isChanged && (
        <div className={classes.save}>
          <Button variant="default" onClick={giveUp}>
            {texts.cancel}
          </Button>
          <Button type="submit" loading={isBusy}>
            {texts.save}
          </Button>
        </div>
      )}
      {theirs.length > 0 && (
        <Conflict
          fields={theirs.map(({ key, label, ...both }) => ({ key, label: texts[label], ...both }))}
          {...settle}
        />
      )}
    </form>
  );
}

/** What is entered over a version, and what saves it. */
function useDrawnAt({ workspace, item, record, changes }: DrawnAtProps) {
  const texts = useWorkspaceTexts();
  const [draft, setDraft] = useState<{ base: Layer; values: Values } | null>(null);
  const [theirs, setTheirs] = useState<Layer | null>(null);
  const { isBusy, problem, send } = useSending();
  const { base, values } = draft ?? { base: record, values: {} };
  const isUpsideDown = numberOf('minZoom', values, base) > numberOf('maxZoom', values, base);
  const save = (over: Layer, own: Values): void =>
    void send(async () => {
      setTheirs(null);
      for (let version: Layer | null = over; version; ) {
        const present: Layer | null = await write(workspace, item, version, own);
        if (present && version === base && differing(own, base, present).length) return setTheirs(present);
        version = present;
      }
      await workspace.reload();
      setDraft(null);
      changes.tell(texts.saved(item.name || item.code));
    });
  const asked = theirs ? differing(values, base, theirs) : [];
  const choose = (mine: ReadonlySet<string> | null): void => {
    const lost = asked.map(({ key }) => key).filter((key) => !mine?.has(key));
    const kept = Object.entries(values).filter(([key]) => !lost.some((one) => one === key));
    save(theirs!, Object.fromEntries(kept));
  };
  return {
    ...{ values, isBusy, isChanged: draft !== null },
    problem: isUpsideDown ? texts.zoomsUpsideDown : problem,
    theirs: asked.map(({ key, label }) => ({
      key,
      label,
      mine: values[key]!,
      theirs: settingOf(theirs!, key),
    })),
    enter: (key: Key, value: string) => setDraft({ base, values: { ...values, [key]: value } }),
    save: () => isUpsideDown || save(base, values),
    settle: { onChoose: choose, onLater: () => setTheirs(null) },
    giveUp: () => setDraft(null),
  };
}

const settingOf = ({ value: { render_settings: stored } }: Layer, key: Key): string =>
  String(stored?.[key] ?? settings.find((one) => one.key === key)!.initial);

const numberOf = (key: Key, own: Values, base: Layer): number => Number(own[key] ?? settingOf(base, key));

/** The settings of `own` that another has given another value than `base` and `own` have. */
const differing = (own: Values, base: Layer, theirs: Layer) =>
  settings.filter(({ key }) => {
    const now = settingOf(theirs, key);
    return own[key] !== undefined && own[key] !== now && now !== settingOf(base, key);
  });

/** Writes settings over a version. Gives the version that somebody else has saved meanwhile. */
async function write(
  { project, map }: Workspace,
  { code }: WorkspaceItem,
  { value, etag }: Layer,
  own: Values,
): Promise<Layer | null> {
  const numbers = Object.entries(own).map(([key, text]) => [key, Number(text)]);
  try {
    await clientOf(project).patch('/api/2.8/{project}/{map}/layers/{layer}/', {
      params: { path: { map: map.code, layer: code }, header: { 'if-match': etag } },
      body: { render_settings: { ...value.render_settings, ...Object.fromEntries(numbers) } },
    });
    return null;
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== 'changed_meanwhile') throw error;
    const { present, etag: now } = error.data as { present: LayerDetails; etag: string };
    return { value: present, etag: now };
  }
}
