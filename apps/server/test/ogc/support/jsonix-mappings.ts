import { createRequire } from 'node:module';

/** A name: a text is a name in the namespace of the module, an object has its own namespace or none. */
export type MappedName = string | { lp: string; ns?: string };

/** A type: `.X` of the same module, `MODULE.X` of another, a type of XML Schema, or a list of values. */
export type MappedType = string | { t: 'l'; bti?: string };

/** What Jsonix says of a property: attributes (`a`), an element (`e`), one of several (`es`), heads of substitution groups (`er`, `ers`), text (`v`), anything (`ae`, `aa`). */
export interface MappedProperty {
  n: string;
  t?: 'a' | 'e' | 'es' | 'er' | 'ers' | 'v' | 'ae' | 'aa';
  an?: MappedName;
  en?: MappedName;
  ti?: MappedType;
  etis?: { en: MappedName; ti?: MappedType }[];
  /** Required. */
  rq?: boolean;
  /** Several; `mno` and `mxo` are the least and the most. */
  col?: boolean;
  mno?: number;
  mxo?: number;
  /** Whether text stands between the elements (`mx`), and whether any element may stand there (`dom`). */
  mx?: boolean;
  dom?: boolean;
}

export interface MappedClass {
  ln: string;
  /** Name of the type in its schema where it differs; null: it has no name. */
  tn?: string | null;
  t?: 'enum';
  bti?: string;
  ps?: MappedProperty[];
  vs?: string[];
}

/** An element that may be a root or be named by others, with the head of its substitution group. */
interface MappedElement {
  en: MappedName;
  ti?: MappedType;
  sh?: MappedName;
  /** The class in which alone it is known. */
  sc?: string;
}

/** A schema as Jsonix maps it. `dens` and `dans` are the namespaces of elements and attributes without their own. */
export interface Mapping {
  n: string;
  dens?: string;
  dans?: string;
  deps?: string[];
  tis?: MappedClass[];
  eis?: MappedElement[];
}

const require = createRequire(import.meta.url);

function load(name: string): Mapping {
  const source = name === 'XLink_1_0' ? 'w3c-schemas' : 'ogc-schemas';
  return (require(`${source}/lib/${name}.js`) as Record<string, Mapping>)[name]!;
}

/** Mappings of schemas and of all on which they depend. */
export function loadMappings(...names: readonly string[]): Mapping[] {
  const found = new Map<string, Mapping>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    const mapping = load(name);
    found.set(name, mapping);
    mapping.deps?.forEach(add);
  };
  names.forEach(add);
  return [...found.values()];
}

/**
 * Exclusive alternatives by type: properties, several ones separated by a blank. Jsonix calls each required, as if all had to
 * be there. `?`: none is allowed, too. Listed are the types that answers of WFS contain.
 */
export const alternatives: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'OWS_1_1_0.UnNamedDomainType': [
    ['allowedValues', 'anyValue', 'noValues', 'valuesReference'],
    ['uom', 'referenceSystem', '?'],
  ],
  'WFS_2_0.FeatureTypeType': [['defaultCRS', 'noCRS']],
  'WFS_2_0.AdditionalObjects': [['valueCollection', 'simpleFeatureCollection']],
  'WFS_2_0.AdditionalValues': [['valueCollection', 'simpleFeatureCollection']],
  'GML_3_2_1.PointType': [['pos', 'coordinates']],
  'GML_3_2_1.LineStringType': [['posOrPointPropertyOrPointRep', 'posList', 'coordinates']],
  'GML_3_2_1.LineStringSegmentType': [['posOrPointPropertyOrPointRep', 'posList', 'coordinates']],
  'GML_3_2_1.LinearRingType': [['posOrPointPropertyOrPointRep', 'posList', 'coordinates']],
  'GML_3_2_1.EnvelopeType': [['lowerCorner upperCorner', 'pos', 'coordinates']],
  'GML_3_2_1.BoundingShapeType': [['envelope', '_null']],
};
