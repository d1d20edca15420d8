import type { ConnectionTarget } from '../../db/pool.js';
import type { Around, LabelChoice, TextLook } from '../../styles/compile.js';
import { datasource } from '../datasource.js';
import type { LayerSource } from '../layer-sql.js';
import type { LabelLook, LabelPass, Rgba } from '../messages.js';
import { labelSql } from './label-sql.js';

/** The labels of a layer at a zoom level, as the renderer draws them above its shapes: a pass for each style that has any. */
export function labelPasses(
  source: Pick<LayerSource, 'id' | 'columns' | 'lng' | 'main'>,
  styles: readonly (readonly LabelChoice[])[],
  { around, database }: { around: Around; database: ConnectionTarget },
): LabelPass[] {
  return styles.map((choices) => {
    const looks = new Map(choices.flatMap(({ label }) => (label ? [[keyOf(label.look), label.look]] : [])));
    const keys = [...looks.keys()];
    const chosen = choices.map(({ when, label }) => ({
      when,
      label: label && { column: label.column, look: keys.indexOf(keyOf(label.look)) },
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

/** A colour as styles write it, `#rrggbb` or `rgba(r, g, b, a)`. */
function rgba(color: string, opacity: number): Rgba {
  const digits = /^#(..)(..)(..)$/.exec(color)?.slice(1);
  const [red, green, blue, alpha = 1] = digits
    ? digits.map((pair) => Number.parseInt(pair, 16))
    : color.match(/[\d.]+/g)!.map(Number);
  return [red!, green!, blue!, alpha * opacity];
}
