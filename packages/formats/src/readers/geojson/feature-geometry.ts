import { noteOf } from '@cartulary/errors/notes';
import { wgs84 } from '@cartulary/geo';
import type { Remarker } from '../../reading/summary.js';
import { looksLikeWkb, nextGeometry, type TextGeometries } from '../../tables/geometry-text.js';

/** Names of properties in which databases write geometries. */
const geometryNames = /geom|wkb|^(?:way|shape)$/i;

interface Written {
  number: number;
  geometry: unknown;
  properties: Record<string, unknown>;
}

/**
 * The geometry of a feature and its other properties. Some programs write the WKB of their database, as the member
 * `geometry` or as a property of a feature without one. Throws `value_invalid`.
 */
export function geometryOfFeature(
  reading: Pick<TextGeometries, 'srs' | 'srsIsGiven'> & { remark: Remarker | undefined },
  { number, geometry, properties }: Written,
): Pick<Written, 'geometry' | 'properties'> {
  const textOf = (text: string): unknown => {
    const arc = (): void => reading.remark?.(noteOf('arcOfCircle'), noteOf('storedAsLine'), number);
    let hasMeasures = false;
    const measure = (): void => {
      hasMeasures = true;
    };
    const { srs, srsIsGiven } = reading;
    const geometries: TextGeometries = { srs, srsIsGiven, arc, measure };
    const found = nextGeometry(geometries, text);
    if (hasMeasures) reading.remark?.(noteOf('measuresOfPositions'), noteOf('notRead'), number);
    reading.srs = geometries.srs;
    return found;
  };
  if (typeof geometry === 'string') return { geometry: textOf(geometry.trim()), properties };
  if (geometry !== null) {
    reading.srs ??= wgs84;
    return { geometry, properties };
  }
  const found = Object.entries(properties).find(
    ([name, value]) => geometryNames.test(name) && typeof value === 'string' && looksLikeWkb(value),
  );
  if (!found) return { geometry, properties };
  const [name, text] = found;
  const { [name]: _, ...others } = properties;
  reading.remark?.(noteOf('geometryInProperty', { name }), noteOf('storedAsGeometry'), number);
  return { geometry: textOf(text as string), properties: others };
}
