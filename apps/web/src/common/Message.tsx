import { ClientError } from '@cartulary/client';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { base } from './base.js';
import { IconAlertTriangle, IconLock, IconMapOff, IconPlugOff, IconRefresh } from './icons.js';
import classes from './Message.module.css';
import { AccountMenu } from './sign-in/AccountMenu.js';
import { SignInForm } from './sign-in/SignIn.js';
import { useSessions } from './sign-in/session.js';
import { useTexts } from './texts/language.js';
import type { Texts } from './texts/texts.js';

interface MessageProps {
  icon: ReactNode;
  title: string;
  hint?: string;
  /** No failure: screen readers do not announce it at once. */
  isQuiet?: boolean;
  children?: ReactNode;
}

/** A message in place of a page's or panel's content. */
export function Message({ icon, title, hint, isQuiet, children }: MessageProps): ReactNode {
  return (
    <div className={classes.message} role={isQuiet ? undefined : 'alert'}>
      <div className={classes.icon}>{icon}</div>
      <h1 className={classes.title}>{title}</h1>
      {hint && <p className={classes.hint}>{hint}</p>}
      {children}
    </div>
  );
}

type Kind = 'notFound' | 'notPublished' | 'notAllowed' | 'unreachable' | 'failed' | 'noWebGl';

const icons = {
  notFound: IconMapOff,
  notPublished: IconLock,
  notAllowed: IconLock,
  unreachable: IconPlugOff,
  failed: IconAlertTriangle,
  noWebGl: IconMapOff,
} as const;

/** The kind of message for an error. */
function kindOf(error: unknown): Kind {
  if (!(error instanceof ClientError)) return 'failed';
  if (error.status === 404 || error.code === 'project_not_found') return 'notFound';
  if (error.status === 401 || error.status === 403) return 'notPublished';
  return error.status === 0 ? 'unreachable' : 'failed';
}

interface ErrorMessageProps {
  error: unknown;
  /** Project to sign in to when access is denied. */
  project?: string;
  onRetry?: () => void;
}

/** A message for an error, with a button to retry or to leave. */
export function ErrorMessage({ error, project, onRetry }: ErrorMessageProps): ReactNode {
  const texts = useTexts();
  const kind = kindOf(error);
  if (kind === 'notPublished' && project) return <AccessDenied project={project} />;
  return <KnownMessage kind={kind} texts={texts} onRetry={kind === 'notFound' ? undefined : onRetry} />;
}

/** Access denied: a sign-in form, or the account menu for signed-in users. */
function AccessDenied({ project }: { project: string }): ReactNode {
  const texts = useTexts();
  const { sessions, isKnown } = useSessions();
  if (!isKnown) return null;
  if (sessions.some((session) => session.project === project)) {
    return (
      <KnownMessage kind="notAllowed" texts={texts}>
        <AccountMenu project={project} />
      </KnownMessage>
    );
  }
  return (
    <KnownMessage kind="notPublished" texts={texts}>
      <SignInForm project={project} />
    </KnownMessage>
  );
}

interface KnownMessageProps {
  kind: Kind;
  texts: Texts;
  onRetry?: (() => void) | undefined;
  /** Shown above the buttons. */
  children?: ReactNode;
}

export function KnownMessage({ kind, texts, onRetry, children }: KnownMessageProps): ReactNode {
  const Icon = icons[kind];
  return (
    <Message
      icon={<Icon size={48} stroke={1.3} />}
      title={texts[kind]}
      hint={texts[`${kind}Hint`]}
      isQuiet={children !== undefined}
    >
      {children}
      {onRetry && kind !== 'notPublished' ? (
        <Button onClick={onRetry} leftSection={<IconRefresh size={18} />} size="md">
          {texts.tryAgain}
        </Button>
      ) : (
        <Button component="a" href={`${base}/`} variant="light" size="md">
          {texts.toMaps}
        </Button>
      )}
    </Message>
  );
}
