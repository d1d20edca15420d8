import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../../common/Dialog.js';
import fields from '../../../common/fields.module.css';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import classes from './inspector.module.css';

/** A field that two people have changed. */
export interface ConflictField {
  key: string;
  label: string;
  mine: string;
  theirs: string;
}

interface ConflictProps {
  fields: readonly ConflictField[];
  /** Receives the keys of the fields whose own value is kept; null: everything of the other is kept. */
  onChoose: (mine: ReadonlySet<string> | null) => void;
  /** Closes it without a choice: what was entered stays, and is not saved. */
  onLater: () => void;
}

/** Both versions of what somebody else has saved meanwhile, side by side, to choose from field by field. */
export function Conflict({ fields: differing, onChoose, onLater }: ConflictProps): ReactNode {
  const texts = useWorkspaceTexts();
  const [mine, setMine] = useState<ReadonlySet<string>>(() => new Set(differing.map(({ key }) => key)));
  const choose = (key: string, isMine: boolean): void =>
    setMine((before) => new Set(isMine ? [...before, key] : [...before].filter((one) => one !== key)));
  return (
    <Dialog title={texts.conflictTitle} onClose={onLater}>
      <form
        className={fields.form}
        onSubmit={(event) => {
          event.preventDefault();
          onChoose(mine);
        }}
      >
        <p className={fields.hint}>{texts.conflictHint}</p>
        {differing.map(({ key, label, ...values }) => (
          <fieldset key={key} className={classes.versions}>
            <legend>{label}</legend>
            {(['mine', 'theirs'] as const).map((side) => (
              <label key={side} className={classes.version}>
                <span className={classes.side}>
                  <input
                    type="radio"
                    name={key}
                    checked={mine.has(key) === (side === 'mine')}
                    onChange={() => choose(key, side === 'mine')}
                  />
                  {texts[side]}
                </span>
                <span className={classes.value}>{values[side] || texts.empty}</span>
              </label>
            ))}
          </fieldset>
        ))}
        <div className={fields.buttons}>
          <Button variant="default" size="md" onClick={() => onChoose(null)}>
            {texts.discard}
          </Button>
          <Button type="submit" size="md">
            {texts.saveChoice}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
