/** What others may call of the icons. */
export { checkIconPaths, iconNames } from './names.js';
export { createIconFiles, type IconFiles, readIconsVersion, sweepIconFiles } from './registry.js';
