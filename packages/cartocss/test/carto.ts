import { createRequire } from 'node:module';

interface CartoOutput {
  msg?: { type: string; message: string }[];
  data: string | null;
}
interface Carto {
  Renderer: new (options: object) => { render(project: object): CartoOutput };
}
const carto = createRequire(import.meta.url)('carto') as Carto;

/** The map's XML from carto. Throws carto's messages. */
export function cartoXml(style: string, datasource: Record<string, string>, classes: string): string {
  const output = new carto.Renderer({ outputFormat: 'mapnik', filename: 'style' }).render({
    srs: 'epsg:3857',
    'buffer-size': 64,
    Stylesheet: [{ id: 'style', data: style }],
    Layer: [{ id: 'x', name: 'x', class: classes, srs: 'epsg:3857', Datasource: datasource }],
  });
  const errors = (output.msg ?? []).filter((message) => message.type === 'error');
  if (output.data === null || errors.length > 0) throw new Error(JSON.stringify(errors));
  return output.data;
}
