import { codeFor } from '../catalog/codeFor.js';

/** The name of an icon for the name of its file. It begins with a letter. */
export const iconNameFor = (file: string): string =>
  codeFor(file.replace(/\.[^.]*$/, '')).replace(/^[^a-z]+/, '') || 'icon';
