import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import fields from '../../common/fields.module.css';
import { clientOf } from '../client.js';
import { useLoaded } from '../useLoaded.js';
import type { SharingContext } from './context.js';
import { type Grant, type Level, levels, type Principal, putGrant } from './overview.js';
import classes from './rights.module.css';
import { useRightsTexts } from './useRightsTexts.js';

/** The rights on a map, for those who administer the map and not its project: they name users, whose list they may not see. */
export function MapGrants({ workspace, change, isBusy }: SharingContext): ReactNode {
  const texts = useRightsTexts();
  const { project, map, version } = workspace;
  const params = { path: { map: map.code } };
  const { value: grants = [], reload } = useLoaded(
    `${project} ${map.code}`,
    (signal) =>
      clientOf(project).get('/api/2.8/{project}/{map}/rights/', { params, signal }) as Promise<Grant[]>,
    version,
  );
  const put = (principal: Principal, level: Level | null): Promise<void> =>
    change(async () => {
      await putGrant(project, principal, { map: map.code, name: '' }, level);
      await reload();
    });
  return (
    <>
      <p className={classes.hint}>{texts.mapRightsHint}</p>
      <ul className={classes.grants}>
        {grants.map(({ user, group, right }) => {
          const principal: Principal = user === undefined ? { group: group! } : { user };
          const name = user === undefined ? texts.group(group!) : user === 'public' ? texts.public : user;
          return (
            <li key={name}>
              <label className={fields.field}>
                <span>{name}</span>
                <select
                  aria-label={texts.rightOf(name, texts.map)}
                  value={right}
                  disabled={isBusy}
                  onChange={({ target: { value } }) => void put(principal, value ? (value as Level) : null)}
                >
                  <option value="">{texts.notGranted}</option>
                  {levels.map((level) => (
                    <option key={level} value={level}>
                      {texts.levels[level]}
                    </option>
                  ))}
                </select>
              </label>
            </li>
          );
        })}
      </ul>
      <NewGrant isBusy={isBusy} onGive={put} />
    </>
  );
}

interface NewGrantProps {
  isBusy: boolean;
  onGive: (principal: Principal, level: Level) => Promise<void>;
}

/** Gives a user or group a right. */
function NewGrant({ isBusy, onGive }: NewGrantProps): ReactNode {
  const texts = useRightsTexts();
  const [name, setName] = useState('');
  const [isGroup, setGroup] = useState(false);
  const [level, setLevel] = useState<Level>('view');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const given = name.trim();
    void onGive(isGroup ? { group: given } : { user: given }, level);
  };
  return (
    <form className={classes.newGrant} onSubmit={submit}>
      <label className={fields.field}>
        <span>{texts.toWhom}</span>
        <select
          value={isGroup ? 'group' : 'user'}
          onChange={({ target }) => setGroup(target.value === 'group')}
        >
          <option value="user">{texts.aUser}</option>
          <option value="group">{texts.aGroup}</option>
        </select>
      </label>
      <label className={fields.field}>
        <span>{isGroup ? texts.groupName : texts.login}</span>
        <input value={name} required autoCapitalize="none" onChange={({ target }) => setName(target.value)} />
      </label>
      <label className={fields.field}>
        <span>{texts.right}</span>
        <select value={level} onChange={({ target: { value } }) => setLevel(value as Level)}>
          {levels.map((one) => (
            <option key={one} value={one}>
              {texts.levels[one]}
            </option>
          ))}
        </select>
      </label>
      <Button type="submit" size="md" px="sm" loading={isBusy}>
        {texts.give}
      </Button>
    </form>
  );
}
