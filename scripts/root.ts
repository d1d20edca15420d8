import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const rootFolder = fileURLToPath(new URL('../../', import.meta.url));
