import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { base } from '../common/base.js';
import { Logo } from '../common/Logo.js';
import { LanguageMenu, SchemeMenu } from '../common/Switches.js';
import { AccountMenu } from '../common/sign-in/AccountMenu.js';
import { useSessions } from '../common/sign-in/session.js';
import { useLanguage } from '../common/texts/language.js';
import { dictionaries } from '../common/texts/texts.js';
import classes from './console.module.css';
import { Shortcuts } from './palette/Shortcuts.js';
import { PlaceLink, usePlace } from './router.js';
import { useConsoleTexts } from './texts/useConsoleTexts.js';
import { useCurrentInView } from './useCurrentInView.js';

/** The head of every page of the console. */
export function Header(): ReactNode {
  const texts = useConsoleTexts();
  const { ui, texts: common, choose } = useLanguage();
  const { sessions } = useSessions();
  const { project } = usePlace();
  const projects = useCurrentInView(`${project} ${sessions.length}`);
  const isPhone = useMediaQuery('(max-width: 40em)') ?? false;
  return (
    <header className={classes.header} data-projects={sessions.length > 1 || undefined}>
      <PlaceLink project={null} className={classes.brand}>
        <Logo size={30} />
        <span>{texts.console}</span>
      </PlaceLink>
      {sessions.length > 1 && (
        <nav ref={projects} className={classes.switch} aria-label={texts.projects}>
          {sessions.map((one) => (
            <PlaceLink
              key={one.project}
              project={one.project}
              className={classes.link}
              isCurrent={one.project === project}
            >
              {one.project}
            </PlaceLink>
          ))}
        </nav>
      )}
      <div className={classes.tools}>
        {!isPhone && (
          <a className={classes.link} href={`${base}/`}>
            {common.toMaps}
          </a>
        )}
        {sessions.length > 0 && <Shortcuts />}
        <LanguageMenu languages={Object.keys(dictionaries)} current={ui} onChoose={choose} />
        <SchemeMenu />
        {sessions.length > 0 && <AccountMenu compact={isPhone} />}
      </div>
    </header>
  );
}
