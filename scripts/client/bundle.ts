import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { rootFolder } from '../root.js';

/** The client as one script, as the bundler of the pages makes it: it sets `globalThis.cartulary` to the client's door. */
export async function bundleClient(): Promise<string> {
  // Inside of the workspace, where the package is found.
  const folder = await mkdtemp(join(rootFolder, 'scripts/dist/bundle-'));
  try {
    const entry = join(folder, 'entry.js');
    await writeFile(
      entry,
      "import * as cartulary from '@cartulary/client';\nglobalThis.cartulary = cartulary;\n",
    );
    const built = await build({
      configFile: false,
      logLevel: 'error',
      build: { write: false, target: 'es2022', rolldownOptions: { input: entry } },
    });
    const [{ output }] = [built].flat() as { output: { type: string; code: string }[] }[] as [
      { output: { type: string; code: string }[] },
    ];
    return output.map(({ code = '' }) => code).join('');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
