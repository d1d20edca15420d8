import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './columns.module.css';
import { useColumnTexts } from './useColumnTexts.js';
import type { Loss } from './useLoss.js';

/** What a change of type would lose, with examples. */
export function TypeChange({ loss }: { loss: Loss | 'counting' | null }): ReactNode {
  const texts = useColumnTexts();
  return (
    <div role="status">
      {loss === 'counting' && (
        <p className={classes.kept}>
          <Loader size="xs" /> {texts.counting}
        </p>
      )}
      {loss && loss !== 'counting' && (loss.lost ? <Lost loss={loss} /> : <Kept loss={loss} />)}
    </div>
  );
}

function Kept({ loss: { values } }: { loss: Loss }): ReactNode {
  const texts = useColumnTexts();
  return <p className={classes.kept}>{values ? texts.nothingLost(values) : texts.noValues}</p>;
}

const Lost = ({ loss: { lost, values, examples } }: { loss: Loss }): ReactNode => (
  <LostValues text={useColumnTexts().lost(lost, values)} examples={examples} />
);

interface LostValuesProps {
  /** How many. */
  text: string;
  examples: readonly { id: number; value: unknown }[];
}

/** Values that a change would lose or refuse, with examples. */
export function LostValues({ text, examples }: LostValuesProps): ReactNode {
  const texts = useColumnTexts();
  return (
    <div className={classes.loss}>
      <p>{text}</p>
      {examples.length > 0 && (
        <>
          <p>{texts.lostOf}</p>
          <ul>
            {examples.map(({ id, value }) => (
              <li key={id}>
                {texts.object(id)}: {typeof value === 'string' ? value : JSON.stringify(value)}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
