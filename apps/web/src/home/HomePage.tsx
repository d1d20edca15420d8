import { Loader } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react';
import { base } from '../common/base.js';
import fields from '../common/fields.module.css';
import { IconSearch } from '../common/icons.js';
import { Logo } from '../common/Logo.js';
import { ErrorMessage } from '../common/Message.js';
import { LanguageMenu, SchemeMenu } from '../common/Switches.js';
import { AccountMenu } from '../common/sign-in/AccountMenu.js';
import { useSessions } from '../common/sign-in/session.js';
import { useLanguage } from '../common/texts/language.js';
import { normalize } from '../common/texts/normalize.js';
import { dictionaries } from '../common/texts/texts.js';
import type { PublishedMap } from '../common/types.js';
import { type CallState, useCall } from '../common/useCall.js';
import { FirstSteps } from './FirstSteps.js';
import classes from './home.module.css';
import { MapCard } from './MapCard.js';

/** Number of maps from which the page has a search field. */
const minMapsForSearch = 7;

/** The list of the published maps. */
export function HomePage(): ReactNode {
  const { texts } = useLanguage();
  const maps = useCall<PublishedMap[]>(`${base}/pages/maps.json`);
  useEffect(() => {
    document.title = `Cartulary · ${texts.tagline}`;
  }, [texts]);
  return (
    <div className={classes.page}>
      <Header />
      <main className={classes.main}>
        <Content maps={maps} />
      </main>
      <footer className={classes.narrow}>
        <Links />
      </footer>
    </div>
  );
}

function Header(): ReactNode {
  const { ui, choose } = useLanguage();
  const isPhone = useMediaQuery('(max-width: 40em)') ?? false;
  return (
    <header className={classes.header}>
      <a className={classes.brand} href={`${base}/`}>
        <Logo size={34} />
        Cartulary
      </a>
      <nav className={classes.nav}>
        <span className={classes.wide}>
          <Links />
        </span>
        <LanguageMenu languages={Object.keys(dictionaries)} current={ui} onChoose={choose} />
        <SchemeMenu />
        <AccountMenu compact={isPhone} />
      </nav>
    </header>
  );
}

function Links(): ReactNode {
  const { texts } = useLanguage();
  const { sessions } = useSessions();
  return (
    <>
      {sessions.some(({ guiAccess }) => guiAccess) && (
        <a className={classes.link} href={`${base}/console/`}>
          {texts.console}
        </a>
      )}
      <a className={classes.link} href={`${base}/docs/`}>
        {texts.documentation}
      </a>
      <a className={classes.link} href={`${base}/api/2.8/docs/`}>
        {texts.api}
      </a>
    </>
  );
}

function Content({ maps }: { maps: CallState<PublishedMap[]> }): ReactNode {
  const { texts } = useLanguage();
  if (maps.data?.length) return <MapList maps={maps.data} />;
  if (maps.data) return <FirstSteps />;
  if (maps.error) return <ErrorMessage error={maps.error} onRetry={maps.retry} />;
  return (
    <div className={classes.waiting} role="status">
      <Loader size="sm" /> {maps.busy ? texts.busy : texts.loading}
    </div>
  );
}

/** All texts by which a map is found: its names in every language, its code, its project. */
const searchText = ({ name, names, code, project_name, project }: PublishedMap): string =>
  normalize([name, ...Object.values(names), code, project_name, project].join(' '));

function MapList({ maps }: { maps: PublishedMap[] }): ReactNode {
  const { texts } = useLanguage();
  const [phrase, setPhrase] = useState('');
  const asked = normalize(useDeferredValue(phrase).trim());
  const found = maps.filter((map) => searchText(map).includes(asked));
  return (
    <>
      <div className={classes.head}>
        <h1 className={classes.title}>{maps.every((map) => map.is_public) ? texts.tagline : texts.maps}</h1>
        <span className={classes.count} role="status">
          {texts.mapCount(found.length)}
        </span>
        {maps.length >= minMapsForSearch && (
          <label className={fields.find}>
            <IconSearch size={18} aria-hidden />
            <input
              type="search"
              placeholder={texts.find}
              aria-label={texts.find}
              value={phrase}
              onChange={(event) => setPhrase(event.currentTarget.value)}
            />
          </label>
        )}
      </div>
      <ul className={classes.grid}>
        {found.map((map) => (
          <MapCard key={`${map.project}/${map.code}`} map={map} />
        ))}
      </ul>
      {found.length === 0 && <p className={classes.none}>{texts.nothingFound}</p>}
    </>
  );
}
