import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const prefix = 'tabler:';
const frame =
  /^<g fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2">(.*)<\/g>$/;
const makeIcon = fileURLToPath(new URL('../../apps/web/src/common/makeIcon.tsx', import.meta.url));

/** The path data of an outline icon. Throws if the icon contains other elements. */
function pathsOf(name: string, body: string): string[] {
  const inside = frame.exec(body)?.[1] ?? body.replace(/^<path fill="none" [^>]*? (?=d=)/, '<path ');
  const paths = [...inside.matchAll(/<path d="([^"]+)"\/>/g)];
  if (!paths.length || paths.map(([all]) => all).join('') !== inside)
    throw new Error(`The icon '${name}' holds other things than paths`);
  return paths.map(([, path]) => path!);
}

/** Resolves imports such as `tabler:lock` to icon components, so that pages contain only the icons that they use. */
export function tablerIcons(): Plugin {
  let icons: Record<string, { body: string }> | undefined;
  return {
    name: 'tabler-icons',
    resolveId: (id) => (id.startsWith(prefix) ? id : undefined),
    load(id) {
      if (!id.startsWith(prefix)) return undefined;
      icons ??= JSON.parse(
        readFileSync(createRequire(import.meta.url).resolve('@iconify-json/tabler/icons.json'), 'utf8'),
      ).icons;
      const name = id.slice(prefix.length);
      const icon = icons?.[name];
      if (!icon) throw new Error(`There is no icon '${name}'`);
      const paths = JSON.stringify(pathsOf(name, icon.body));
      return `import { makeIcon } from ${JSON.stringify(makeIcon)};\nexport default makeIcon(${paths});\n`;
    },
  };
}
