/** The door of this folder. */
export { checkIconPaths, iconNames } from './names.js';
export { IconFiles, readIconsVersion, sweepIconFiles } from './registry.js';
