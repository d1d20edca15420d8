import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { buildParserFile } from '@lezer/generator';
import type { Plugin } from 'vite';

const id = 'grammar:cartocss';

/** Resolves `grammar:cartocss` to the parser of CartoCSS for the editor, made of the grammar at build time. */
export function cartocssGrammar(): Plugin {
  return {
    name: 'cartocss-grammar',
    resolveId: (source) => (source === id ? id : undefined),
    load(source) {
      if (source !== id) return undefined;
      const file = createRequire(import.meta.url).resolve('@cartulary/cartocss/cartocss.grammar');
      return buildParserFile(readFileSync(file, 'utf8'), { moduleStyle: 'es' }).parser;
    },
  };
}
