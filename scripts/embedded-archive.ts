export { makeEmbeddedArchive } from '../src/db/embedded-archive.js';
