import type { AnswerOf } from '@cartulary/client';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import fields from '../../common/fields.module.css';
import { useLanguage } from '../../common/texts/language.js';
import { dateAndTime } from '../../common/times.js';
import { clientOf } from '../client.js';
import page from '../project/project.module.css';
import { useLoaded } from '../useLoaded.js';
import { useSending } from '../useSending.js';
import classes from './administration.module.css';
import { ForWhom } from './ForWhom.js';
import { useAdministrationTexts } from './texts/useAdministrationTexts.js';

type Entry = AnswerOf<'/api/2.8/{project}/administration/journal/', 'get'>[number];

/** Entries that are asked for at once. */
const entriesAtOnce = 50;

interface JournalChoice {
  /** Empty: all. */
  login: string;
  map: string;
}

const readEntries = (
  project: string,
  { login, map }: JournalChoice,
  before: number | undefined,
  signal?: AbortSignal,
): Promise<Entry[]> =>
  clientOf(project).get('/api/2.8/{project}/administration/journal/', {
    params: {
      query: {
        limit: entriesAtOnce,
        ...(login && { login }),
        ...(map && { map }),
        ...(before !== undefined && { before }),
      },
    },
    signal,
  });

/** Who changed what in the project. */
export function Journal({ project }: { project: string }): ReactNode {
  const texts = useAdministrationTexts();
  const [choice, setChoice] = useState<JournalChoice>({ login: '', map: '' });
  const key = `${project} ${choice.login} ${choice.map}`;
  const loaded = useLoaded(key, (signal) => readEntries(project, choice, undefined, signal));
  return (
    <>
      <p className={page.hint}>{texts.journalHint}</p>
      <ForWhom loaded={loaded} project={project} refusal={texts.onlyAdministrators}>
        {(first) => (
          <>
            <Choices project={project} choice={choice} onChange={setChoice} />
            <Entries key={`${key} ${first[0]?.id}`} project={project} choice={choice} first={first} />
          </>
        )}
      </ForWhom>
    </>
  );
}

interface ChoicesProps {
  project: string;
  choice: JournalChoice;
  onChange: (choice: JournalChoice) => void;
}

function Choices({ project, choice, onChange }: ChoicesProps): ReactNode {
  const texts = useAdministrationTexts();
  const { ui } = useLanguage();
  const { value } = useLoaded(`${project} ${ui}`, (signal) =>
    Promise.all([
      clientOf(project).get('/api/2.8/{project}/users/list/', { signal }),
      clientOf(project).get('/api/2.8/{project}/maps/', { params: { query: { lng: ui } }, signal }),
    ]),
  );
  const [logins = [], maps = []] = value ?? [];
  return (
    <div className={classes.choices}>
      <label className={fields.field}>
        <span>{texts.user}</span>
        <select
          value={choice.login}
          onChange={(event) => onChange({ ...choice, login: event.currentTarget.value })}
        >
          <option value="">{texts.allUsers}</option>
          {logins.map((login) => (
            <option key={login}>{login}</option>
          ))}
        </select>
      </label>
      <label className={fields.field}>
        <span>{texts.map}</span>
        <select
          value={choice.map}
          onChange={(event) => onChange({ ...choice, map: event.currentTarget.value })}
        >
          <option value="">{texts.allMaps}</option>
          {maps.map(({ code, name }) => (
            <option key={code} value={code}>
              {name || code}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

interface EntriesProps {
  project: string;
  choice: JournalChoice;
  /** The newest entries. */
  first: readonly Entry[];
}

function Entries({ project, choice, first }: EntriesProps): ReactNode {
  const texts = useAdministrationTexts();
  const [older, setOlder] = useState<readonly Entry[]>([]);
  const [isWhole, setWhole] = useState(first.length < entriesAtOnce);
  const { isBusy, problem, send } = useSending();
  const entries = [...first, ...older];
  const more = (): Promise<boolean> =>
    send(async () => {
      const next = await readEntries(project, choice, entries.at(-1)!.id);
      setOlder([...older, ...next]);
      setWhole(next.length < entriesAtOnce);
    });
  if (!entries.length) return <p className={page.hint}>{texts.noEntries}</p>;
  return (
    <>
      <EntryTable entries={entries} />
      <p className={fields.problem} role="alert">
        {problem}
      </p>
      {!isWhole && (
        <Button variant="default" loading={isBusy} onClick={() => void more()}>
          {texts.older}
        </Button>
      )}
    </>
  );
}

function EntryTable({ entries }: { entries: readonly Entry[] }): ReactNode {
  const texts = useAdministrationTexts();
  const { ui } = useLanguage();
  const time = dateAndTime(ui);
  return (
    <table className={`${page.table} ${classes.journal}`}>
      <thead>
        <tr>
          {(['time', 'user', 'action', 'where'] as const).map((column) => (
            <th key={column} scope="col">
              {texts[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, at, login, action, map, layer, item, count }) => (
          <tr key={id}>
            <td>
              <time dateTime={at}>{time.format(new Date(at))}</time>
            </td>
            <td>{login ?? texts.nobody}</td>
            <td>
              {texts.actions[action] ?? action}
              {count > 1 && <small>{texts.times(count)}</small>}
            </td>
            <td>{[map, layer, item].filter((part) => part !== null).join(' / ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
