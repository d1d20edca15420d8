import { type ReactNode, useState } from 'react';
import fields from '../../common/fields.module.css';
import { clientOf } from '../client.js';
import type { SharingContext } from './context.js';
import { NoUsers } from './NoUsers.js';
import type { Overview } from './overview.js';
import classes from './rights.module.css';
import { useRightsTexts } from './useRightsTexts.js';
import { useSent } from './useSent.js';

type User = Overview['users'][number];

/** Which users are in which group. */
export function Groups({ workspace, state, change, isBusy }: SharingContext): ReactNode {
  const texts = useRightsTexts();
  const { users, groups } = state.overview!;
  const [chosen, setChosen] = useState(groups[0]?.name ?? '');
  const [fresh, setFresh] = useState('');
  const isNew = !groups.some(({ name }) => name === chosen);
  const group = isNew ? fresh.trim() : chosen;
  const put = async ({ login, groups: of }: User, isMember: boolean): Promise<void> => {
    const groups = isMember ? [...of, group] : of.filter((one) => one !== group);
    await change(() =>
      clientOf(workspace.project).patch('/api/2.8/{project}/users/{login}/', {
        params: { path: { login } },
        body: { groups },
      }),
    );
    setChosen(group);
  };
  return (
    <div className={fields.form}>
      <p className={classes.hint}>{texts.groupsHint}</p>
      <label className={fields.field}>
        {texts.groupName}
        <select value={isNew ? '' : chosen} onChange={(event) => setChosen(event.target.value)}>
          {groups.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
          <option value="">{texts.newGroup}</option>
        </select>
      </label>
      {isNew && (
        <>
          <label className={fields.field}>
            {texts.newGroup}
            <input value={fresh} maxLength={200} onChange={(event) => setFresh(event.target.value)} />
          </label>
          <p className={fields.hint}>{texts.groupHint}</p>
        </>
      )}
      {users.length === 0 && <NoUsers project={workspace.project} />}
      {group && users.length > 0 && (
        <fieldset className={classes.choice} disabled={isBusy}>
          <legend>{texts.members(group)}</legend>
          {users.map((user) => (
            <Member
              key={`${group}/${user.login}`}
              user={user}
              isMember={user.groups.includes(group)}
              onChange={(isMember) => put(user, isMember)}
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}

interface MemberProps {
  user: User;
  isMember: boolean;
  onChange: (isMember: boolean) => Promise<void>;
}

function Member({ user: { login, name }, isMember, onChange }: MemberProps): ReactNode {
  const [isChecked, send] = useSent(isMember);
  return (
    <label>
      <input
        type="checkbox"
        checked={isChecked}
        onChange={() => void send(!isChecked, () => onChange(!isChecked))}
      />
      <span>{name ? `${name} (${login})` : login}</span>
    </label>
  );
}
