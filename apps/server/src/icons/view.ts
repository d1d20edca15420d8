import { projectPath } from '../http/reply.js';
import type { IconServices } from './services.js';
import type { Icon } from './store.js';

export const mimes = { svg: 'image/svg+xml', png: 'image/png' } as const;

type Shown = Pick<Icon, 'name' | 'kind' | 'width' | 'height'>;

/** An icon in the form of the interface. */
export const iconView = (
  { config }: IconServices,
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
