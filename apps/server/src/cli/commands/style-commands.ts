import type { Command } from 'commander';
import { pathOf } from '../client/client.js';
import { withService } from '../client/session.js';
import { examples, print, projectOption } from '../command-line.js';
import { printJson } from '../output.js';
import { readStyleFile, withStyle } from './style-file.js';

const on = (command: Command): Command =>
  command.addOption(projectOption()).option('--layer <layer>', 'of this layer, in place of the map');

interface LayerStyle {
  css_style: string;
  style_mode?: number;
  simpleStyle?: unknown;
  visualSettings?: unknown;
  visualCustomSettings?: unknown;
}

/** `cartulary style …` */
export function styleCommands(program: Command): void {
  const style = examples(
    program.command('style').description('styles of maps and layers'),
    'style set parks gardens.mss --project city --layer gardens',
    'style set parks density.json --project city --layer gardens',
    'style show parks --project city --layer gardens > gardens.mss',
  );
  examples(
    on(
      style
        .command('set <map> <file>')
        .description(
          'set the style from a file: CartoCSS, or as JSON the simpleStyle or visualSettings of a layer; - is standard input',
        ),
    ),
    'style set parks background.mss --project city',
    `style set parks - --project city --layer gardens <<< '{"fill": "#b2f2bb"}'`,
  ).action(async (map: string, file: string, { layer }: { layer?: string }, command: Command) => {
    const read = await readStyleFile(file, layer === undefined ? 'map' : 'layer');
    const at = layer === undefined ? pathOf(map) : pathOf(map, 'layers', layer);
    await withService(
      command,
      async ({ client, json }) => {
        const changed = await withStyle(read, () => client.call('PATCH', at, { json: read.body }));
        if (json) return printJson(changed);
        const whose = layer === undefined ? `the map '${map}'` : `the layer '${layer}'`;
        print(`The style of ${whose} is set (${read.kind})`);
      },
      { drawing: true },
    );
  });
  on(
    style
      .command('show <map>')
      .description('print the style: CartoCSS, with --json of a layer all that says how it is drawn'),
  ).action((map: string, { layer }: { layer?: string }, command: Command) =>
    withService(command, async ({ client, json }) => {
      const at = layer === undefined ? pathOf(map) : pathOf(map, 'layers', layer);
      const found = await client.call<LayerStyle>('GET', at);
      const { css_style, simpleStyle, visualSettings, visualCustomSettings } = found;
      if (json) return printJson({ css_style, simpleStyle, visualSettings, visualCustomSettings });
      process.stdout.write(css_style.endsWith('\n') ? css_style : `${css_style}\n`);
    }),
  );
}
