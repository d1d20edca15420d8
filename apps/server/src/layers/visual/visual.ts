/** The door of this folder. */
export { cellsSql, inCells } from './cells.js';
export { visualStyleLayer } from './change.js';
export { legendView } from './legend.js';
export { onePoint } from './point.js';
export { findFreshLayer, freshenClasses, hasStaleClasses, visualOf } from './stored-classes.js';
export { drawnValue, readById } from './values.js';
export { visualView } from './view.js';
