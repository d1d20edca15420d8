import { Fragment, type ReactNode } from 'react';
import { Dialog } from '../../common/Dialog.js';
import { useConsoleTexts } from '../texts/useConsoleTexts.js';
import classes from './palette.module.css';

/** The keys of the console. */
export default function KeyboardHelp({ onClose }: { onClose: () => void }): ReactNode {
  const texts = useConsoleTexts();
  return (
    <Dialog title={texts.keyboardHelp} isWide onClose={onClose}>
      {texts.keys.map(({ place, keys }) => (
        <section key={place} aria-label={place}>
          <h3 className={classes.place}>{place}</h3>
          <dl className={classes.keys}>
            {keys.map(([names, effect]) => (
              <Fragment key={effect}>
                <dt>
                  {names.split(' ').map((name) => (
                    <kbd key={name}>{name}</kbd>
                  ))}
                </dt>
                <dd>{effect}</dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
