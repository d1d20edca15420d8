import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { CopyField } from '../../common/CopyField.js';
import fields from '../../common/fields.module.css';
import { clientOf } from '../client.js';
import { useSending } from '../useSending.js';
import classes from './project.module.css';
import { useProjectTexts } from './texts/useProjectTexts.js';

/** Days without use after which a key ends. */
const lifetimes = [7, 30, 90, 365];

/** Makes keys for programs, which are shown once. `onMade` is called after each. */
export function Keys({ project, onMade }: { project: string; onMade: () => void }): ReactNode {
  const texts = useProjectTexts();
  const heading = useId();
  const [name, setName] = useState('');
  const [days, setDays] = useState(90);
  const [password, setPassword] = useState('');
  const [made, setMade] = useState({ name: '', token: '' });
  const { isBusy, problem, send } = useSending({ too_large: texts.keyLimit });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const body = { password, name: name.trim(), days };
    await send(async () => {
      const { token } = await clientOf(project).post('/api/2.8/{project}/login/keys/', { body });
      setMade({ name: body.name, token });
      setName('');
      setPassword('');
      onMade();
    });
  };
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>{texts.keys}</h2>
      <form className={`${fields.form} ${fields.narrow}`} onSubmit={(event) => void submit(event)}>
        <p className={fields.hint}>{texts.keysHint}</p>
        <label className={fields.field}>
          <span>{texts.keyName}</span>
          <input
            required
            maxLength={100}
            placeholder="QGIS"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <Lifetime days={days} onChange={setDays} />
        <label className={fields.field}>
          <span>{texts.keyPassword}</span>
          <input
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        </label>
        <p className={fields.problem} role="alert">
          {problem}
        </p>
        <Button type="submit" loading={isBusy}>
          {texts.makeKey}
        </Button>
      </form>
      <p className={classes.news} role="status">
        {made.token && texts.keyMade(made.name)}
      </p>
      {made.token && <CopyField label={texts.key} text={made.token} action={texts.copyKey} />}
    </section>
  );
}

function Lifetime({ days, onChange }: { days: number; onChange: (days: number) => void }): ReactNode {
  const texts = useProjectTexts();
  return (
    <label className={fields.field}>
      <span>{texts.keyEnds}</span>
      <select value={days} onChange={(event) => onChange(Number(event.currentTarget.value))}>
        {lifetimes.map((one) => (
          <option key={one} value={one}>
            {texts.keyDays(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
