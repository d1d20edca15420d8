export { drawnFonts, installedFonts, makeDrawnFonts } from './drawn.js';
export { checkFontFolder, type FontFiles, findFonts } from './files.js';
export { plainFont } from './woff.js';
