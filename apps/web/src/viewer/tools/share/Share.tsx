import { type ReactNode, useSyncExternalStore } from 'react';
import { CopyField } from '../../../common/CopyField.js';
import { embedCode } from '../../../common/mapLinks.js';
import type { ToolContext } from '../context.js';
import classes from '../tools.module.css';
import { useToolTexts } from '../useToolTexts.js';

/** Calls `listener` when the address may have changed. Writing history entries fires no event, so time does. */
function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, 250);
  return () => clearInterval(timer);
}

/** The address of what the map shows, and the code that shows it in another page. */
export default function Share({ map }: ToolContext): ReactNode {
  const texts = useToolTexts();
  const link = useSyncExternalStore(subscribe, () => location.href);
  return (
    <>
      <p className={classes.hint}>{texts.shareHint}</p>
      <CopyField label={texts.link} text={link} action={texts.copyLink} />
      <h3 className={classes.title}>{texts.embed}</h3>
      <p className={classes.hint}>{map.is_public ? texts.embedHint : texts.embedPrivate}</p>
      {map.is_public && (
        <CopyField
          label={texts.embedCode}
          text={embedCode(link, map.name || map.code)}
          action={texts.copyEmbed}
          rows={5}
        />
      )}
    </>
  );
}
