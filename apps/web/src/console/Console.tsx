import { Loader } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from '../common/ErrorBoundary.js';
import { IconLock, IconMapOff } from '../common/icons.js';
import { ErrorMessage, Message } from '../common/Message.js';
import { AccountMenu } from '../common/sign-in/AccountMenu.js';
import { SignInForm } from '../common/sign-in/SignIn.js';
import { useSessions } from '../common/sign-in/session.js';
import { useTexts } from '../common/texts/language.js';
import { Catalog } from './catalog/Catalog.js';
import classes from './console.module.css';
import { Header } from './Header.js';
import { ProjectNav } from './project/ProjectNav.js';
import { usePageName } from './project/pages.js';
import { RepeatNote } from './RepeatNote.js';
import { PlaceLink, usePlace } from './router.js';
import { Titled } from './Titled.js';
import { useConsoleTexts } from './texts/useConsoleTexts.js';

/** The workspace brings the map library, which the catalog does not need. */
const MapWorkspace = lazy(() => import('./workspace/MapWorkspace.js'));
const ProjectPage = lazy(() => import('./project/ProjectPage.js'));

/** The console: header, and the content of the address. */
export function Console(): ReactNode {
  const texts = useConsoleTexts();
  const { project, map } = usePlace();
  return (
    <div className={classes.page} data-whole={map !== null || undefined}>
      <a className={classes.skip} href="#content">
        {texts.skip}
      </a>
      <Header />
      <RepeatNote />
      <main id="content" className={classes.main} tabIndex={-1}>
        <ErrorBoundary
          key={`${project}/${map}`}
          fallback={<ErrorMessage error={null} onRetry={() => location.reload()} />}
        >
          <Content />
        </ErrorBoundary>
      </main>
    </div>
  );
}

function Content(): ReactNode {
  const texts = useConsoleTexts();
  const place = usePlace();
  const { sessions, project: only, isKnown, error, ended } = useSessions();
  if (!isKnown && error) return <ErrorMessage error={error} onRetry={() => location.reload()} />;
  if (!isKnown) return <Waiting />;
  if (place.isUnknown) return <NoPlace />;
  const project = place.project ?? only ?? (sessions.length === 1 ? sessions[0]!.project : null);
  if (project === null && sessions.length) return <Projects />;
  // The page stays mounted while the user signs in again.
  const session =
    sessions.find((one) => one.project === project) ?? (ended?.project === project ? ended : null);
  if (project === null || !session) return <SignInPage project={project} />;
  if (!session.guiAccess) {
    return (
      <Titled title={texts.noAccess}>
        <Message icon={<IconLock size={48} stroke={1.3} />} title={texts.noAccess} hint={texts.noAccessHint}>
          <AccountMenu project={project} />
        </Message>
      </Titled>
    );
  }
  // Nothing of a user stays in the page for another, who has signed in on another page of the browser.
  return <Signed key={session.login} project={project} map={place.map} />;
}

/** What the address names, for the user who has signed in. */
function Signed({ project, map }: { project: string; map: string | null }): ReactNode {
  const texts = useConsoleTexts();
  const page = usePageName();
  if (map !== null) {
    return (
      <Suspense fallback={<Waiting />}>
        <MapWorkspace key={`${project}/${map}`} project={project} code={map} />
      </Suspense>
    );
  }
  return (
    <>
      <ProjectNav project={project} />
      {page === null ? (
        <Titled title={texts.mapsOf(project)}>
          <Catalog key={project} project={project} />
        </Titled>
      ) : (
        <Suspense fallback={<Waiting />}>
          <ProjectPage key={`${project}/${page}`} project={project} page={page} />
        </Suspense>
      )}
    </>
  );
}

function Waiting(): ReactNode {
  return (
    <p className={classes.waiting} role="status">
      <Loader size="sm" /> {useTexts().loading}
    </p>
  );
}

function SignInPage({ project }: { project: string | null }): ReactNode {
  const texts = useConsoleTexts();
  const { signIn } = useTexts();
  const { sessions } = useSessions();
  return (
    <Titled title={signIn}>
      <Message
        icon={<IconLock size={48} stroke={1.3} />}
        title={project === null ? texts.console : texts.signInTo(project)}
        hint={sessions.length ? texts.signInElsewhereHint : texts.signInHint}
        isQuiet
      >
        <SignInForm project={project} />
      </Message>
    </Titled>
  );
}

function Projects(): ReactNode {
  const texts = useConsoleTexts();
  const { sessions } = useSessions();
  return (
    <Titled title={texts.projects}>
      <h1 className={classes.title}>{texts.chooseProject}</h1>
      <ul className={classes.projects}>
        {sessions.map(({ project }) => (
          <li key={project}>
            <PlaceLink project={project} className={classes.projectLink}>
              {project}
            </PlaceLink>
          </li>
        ))}
      </ul>
    </Titled>
  );
}

function NoPlace(): ReactNode {
  const texts = useConsoleTexts();
  return (
    <Titled title={texts.noPlace}>
      <Message icon={<IconMapOff size={48} stroke={1.3} />} title={texts.noPlace} hint={texts.noPlaceHint}>
        <PlaceLink project={null}>{texts.toStart}</PlaceLink>
      </Message>
    </Titled>
  );
}
