import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorMessage } from '../common/Message.js';
import { useTexts } from '../common/texts/language.js';
import shell from './console.module.css';

interface UnloadedProps {
  error: unknown;
  project: string;
  onRetry: () => void;
}

/** What is shown until a page has its content: that it is loading, or why it cannot be. */
export function Unloaded({ error, project, onRetry }: UnloadedProps): ReactNode {
  const { loading } = useTexts();
  if (error) return <ErrorMessage error={error} project={project} onRetry={onRetry} />;
  return (
    <p className={shell.waiting} role="status">
      <Loader size="sm" /> {loading}
    </p>
  );
}
