import { ClientError } from '@cartulary/client';
import type { ReactNode } from 'react';
import projectClasses from '../project/project.module.css';
import { Unloaded } from '../Unloaded.js';
import type { Loaded } from '../useLoaded.js';

interface ForWhomProps<T> {
  loaded: Loaded<T>;
  project: string;
  /** What those are told who may not see it. */
  refusal: string;
  children: (value: T) => ReactNode;
}

/** Content that not everybody may see: loading, refused, failed, or there. */
export function ForWhom<T>({ loaded, project, refusal, children }: ForWhomProps<T>): ReactNode {
  const { value, error, reload } = loaded;
  if (error instanceof ClientError && error.status === 403)
    return <p className={projectClasses.hint}>{refusal}</p>;
  if (value === undefined) return <Unloaded error={error} project={project} onRetry={reload} />;
  return children(value);
}
