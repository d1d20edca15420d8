export { type FontFiles, findFonts, fontFaces } from './files.js';
export { plainFont } from './woff.js';
