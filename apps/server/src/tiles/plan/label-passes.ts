import type { Around, LabelChoice, TextLook } from '@cartulary/cartocss';
import type { ConnectionTarget } from '@cartulary/database';
import type { LabelKind, LabelLook, LabelPass, Rgba } from '@cartulary/renderer';
import { datasource } from './sql/datasource.js';
import { type LabelSource, labelSql } from './sql/label-sql.js';

/** The plain labels and claims of a layer at a zoom level: a pass for each style that has some, drawn above the layer's shapes. */
export function labelPasses(
  source: LabelSource,
  styles: readonly (readonly LabelChoice[])[],
  { around, database }: { around: Around; database: ConnectionTarget },
): LabelPass[] {
  return styles.map((choices) => {
    const kinds = new Map(choices.filter(isDrawn).map((choice) => [keyOf(choice), kindOf(choice)]));
    const keys = [...kinds.keys()];
    const chosen = choices.map((choice) => ({
      ...choice,
      kind: isDrawn(choice) ? keys.indexOf(keyOf(choice)) : undefined,
    }));
    return {
      kind: 'labels',
      datasource: datasource(database, labelSql(source, chosen)),
      kinds: [...kinds.values()],
      around,
    };
  });
}

const isDrawn = ({ label, claim }: LabelChoice): boolean => Boolean(label || claim);

/** Equal kinds have equal keys. */
const keyOf = ({ label, claim }: LabelChoice): string => JSON.stringify([label?.look, claim]);

const kindOf = ({ label, claim }: LabelChoice): LabelKind => ({
  ...(claim ? { claim } : {}),
  ...(label ? { look: lookOf(label.look) } : {}),
});

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
