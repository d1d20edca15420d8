import '@mantine/core/styles/Combobox.css';
import { Combobox, useCombobox } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Dialog } from '../../common/Dialog.js';
import fields from '../../common/fields.module.css';
import { useConsoleTexts } from '../texts/useConsoleTexts.js';
import { type ActionGroup, useActionGroups } from './actions.js';
import { matching } from './matches.js';
import classes from './palette.module.css';
import { usePlaces } from './usePlaces.js';

/** Finds what can be done here, and the maps of the project, by name. */
export default function Palette({ onClose }: { onClose: () => void }): ReactNode {
  const texts = useConsoleTexts();
  const [phrase, setPhrase] = useState('');
  const combobox = useCombobox({ opened: true });
  // The list is known after it is rendered; in the next rendering the field refers to it.
  const [, setRendered] = useState(false);
  useEffect(() => setRendered(true), []);
  const readers = useActionGroups();
  const places = usePlaces();
  const groups = useMemo(() => [...readers.map((read) => read()), ...places], [readers, places]);
  const found = useMemo(() => matching(groups, phrase), [groups, phrase]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other results reset the selection
  useEffect(() => void combobox.selectFirstOption(), [found]);
  const choose = (place: string): void => {
    const action = actionAt(found, place);
    // The dialog returns the focus first, so that the action can move it.
    onClose();
    if (action) setTimeout(action.run);
  };
  return (
    <Dialog title={texts.palette} onClose={onClose}>
      <Combobox store={combobox} onOptionSubmit={choose}>
        <Combobox.EventsTarget withExpandedAttribute>
          <input
            className={fields.input}
            type="text"
            role="combobox"
            aria-expanded
            aria-autocomplete="list"
            aria-label={texts.paletteHint}
            placeholder={texts.paletteHint}
            value={phrase}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setPhrase(event.currentTarget.value)}
          />
        </Combobox.EventsTarget>
        <Combobox.Options id="palette" className={classes.options} aria-label={texts.palette}>
          {found.map(({ label, actions }, group) => (
            <Combobox.Group key={label} label={label} classNames={{ groupLabel: classes.group }}>
              {actions.map(({ id, label: name, hint }, at) => (
                <Combobox.Option key={id} value={`${group} ${at}`} className={classes.option}>
                  <span>{name}</span>
                  {hint && <span className={classes.hint}>{hint}</span>}
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
        </Combobox.Options>
      </Combobox>
      <p className={fields.hint} role="status">
        {found.length ? '' : texts.noAction}
      </p>
    </Dialog>
  );
}

/** The action of an option, whose value is the places of group and action. */
function actionAt(groups: readonly ActionGroup[], place: string): ActionGroup['actions'][number] | undefined {
  const [group, at] = place.split(' ').map(Number);
  return groups[group!]?.actions[at!];
}
