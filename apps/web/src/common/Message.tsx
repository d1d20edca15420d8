import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError } from './api.js';
import { base } from './base.js';
import { IconAlertTriangle, IconLock, IconMapOff, IconPlugOff, IconRefresh } from './icons.js';
import { useTexts } from './language.js';
import classes from './Message.module.css';
import type { Texts } from './texts.js';

interface MessageProps {
  icon: ReactNode;
  title: string;
  hint?: string;
  children?: ReactNode;
}

/** A page or panel that has nothing else to show. */
export function Message({ icon, title, hint, children }: MessageProps): ReactNode {
  return (
    <div className={classes.message} role="alert">
      <div className={classes.icon}>{icon}</div>
      <h1 className={classes.title}>{title}</h1>
      {hint && <p className={classes.hint}>{hint}</p>}
      {children}
    </div>
  );
}

type Kind = 'notFound' | 'notPublished' | 'unreachable' | 'failed' | 'noWebGl';

const icons = {
  notFound: IconMapOff,
  notPublished: IconLock,
  unreachable: IconPlugOff,
  failed: IconAlertTriangle,
  noWebGl: IconMapOff,
} as const;

/** What happened, in the reader's words. */
function kindOf(error: unknown): Kind {
  if (!(error instanceof ApiError)) return 'failed';
  if (error.status === 404 || error.code === 'project_not_found') return 'notFound';
  if (error.status === 401 || error.status === 403) return 'notPublished';
  return error.status === 0 ? 'unreachable' : 'failed';
}

/** A failure in the reader's words, with a way on. */
export function ErrorMessage({ error, onRetry }: { error: unknown; onRetry?: () => void }): ReactNode {
  const texts = useTexts();
  const kind = kindOf(error);
  return <KnownMessage kind={kind} texts={texts} onRetry={kind === 'notFound' ? undefined : onRetry} />;
}

interface KnownMessageProps {
  kind: Kind;
  texts: Texts;
  onRetry?: (() => void) | undefined;
}

export function KnownMessage({ kind, texts, onRetry }: KnownMessageProps): ReactNode {
  const Icon = icons[kind];
  return (
    <Message icon={<Icon size={48} stroke={1.3} />} title={texts[kind]} hint={texts[`${kind}Hint`]}>
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
