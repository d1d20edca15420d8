import { projectPath } from '../http/reply.js';
import type { Services } from '../http/service.js';
import type { Icon } from './store.js';

export const mimes = { svg: 'image/svg+xml', png: 'image/png' } as const;

type Shown = Pick<Icon, 'name' | 'kind' | 'width' | 'height'>;

/** An icon as it is shown. */
export const iconView = (
  { config }: Services,
  project: string,
  icon: Shown,
  own: boolean,
): Record<string, unknown> => ({
  name: icon.name,
  path: `${projectPath(config, project)}/icons/${icon.name}/`,
  mime: mimes[icon.kind],
  width: icon.width,
  height: icon.height,
  own,
});
