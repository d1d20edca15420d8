import type { Around, LabelChoice, TextLook } from '@cartulary/cartocss';
import type { ConnectionTarget } from '@cartulary/database';
import type { LabelLook, LabelPass, Rgba } from '@cartulary/renderer';
import { datasource } from './sql/datasource.js';
import { labelSql } from './sql/label-sql.js';
import type { LayerSource } from './sql/layer-source.js';

/** The plain labels of a layer at a zoom level: a pass for each style with labels, drawn above the layer's shapes. */
export function labelPasses(
  source: Pick<LayerSource, 'id' | 'columns' | 'lng' | 'main' | 'only' | 'pieces' | 'plane' | 'zoom'> & {
    scale: number;
  },
  styles: readonly (readonly LabelChoice[])[],
  { around, database }: { around: Around; database: ConnectionTarget },
): LabelPass[] {
  return styles.map((choices) => {
    const looks = new Map(choices.flatMap(({ label }) => (label ? [[keyOf(label.look), label.look]] : [])));
    const keys = [...looks.keys()];
    const chosen = choices.map(({ when, label }) => ({
      when,
      label: label && { ...label, look: keys.indexOf(keyOf(label.look)) },
    }));
    return {
      kind: 'labels',
      datasource: datasource(database, labelSql(source, chosen)),
      looks: [...looks.values()].map(lookOf),
      around,
    };
  });
}

/** Equal looks have equal keys. */
const keyOf = (look: TextLook): string => JSON.stringify(look);

const lookOf = ({ fill, opacity, halo, ...look }: TextLook): LabelLook => ({
  ...look,
  fill: rgba(fill, opacity),
  halo: { fill: rgba(halo.fill, halo.opacity), radius: halo.radius },
});

/** Parses a colour of styles: `#rrggbb` or `rgba(r, g, b, a)`. */
function rgba(color: string, opacity: number): Rgba {
  const digits = /^#(..)(..)(..)$/.exec(color)?.slice(1);
  const [red, green, blue, alpha = 1] = digits
    ? digits.map((pair) => Number.parseInt(pair, 16))
    : color.match(/[\d.]+/g)!.map(Number);
  return [red!, green!, blue!, alpha * opacity];
}
