import {
  alternatives,
  type MappedClass,
  type MappedName,
  type MappedProperty,
  type MappedType,
  type Mapping,
} from './jsonix-mappings.js';
import type { SimpleType } from './simple-values.js';
import { nameKey } from './xml-nodes.js';

/** Elements that stand at one place of a type. */
export interface Particle {
  /** The name of the property. */
  property: string;
  /** Types of the elements by their names. */
  elements: ReadonlyMap<string, TypeName>;
  /** Whether any other element may stand there. */
  isWild: boolean;
  min: number;
  max: number;
}

export interface ComplexType {
  /** In the order of the elements, those of the base type first. */
  particles: readonly Particle[];
  alternatives: readonly (readonly string[])[];
  attributes: ReadonlyMap<string, { type: SimpleType; isRequired: boolean }>;
  hasAnyAttribute: boolean;
  /** The type of its text; undefined: it has none. */
  value: SimpleType | undefined;
  /** Whether text may stand between the elements. */
  isMixed: boolean;
}

/** A type with the name of its module. */
type TypeName = MappedType;

interface GlobalElement {
  type: TypeName;
  head: string | undefined;
}

/** A type without elements, attributes and text. */
export const emptyType: ComplexType = {
  particles: [],
  alternatives: [],
  attributes: new Map(),
  hasAnyAttribute: false,
  value: undefined,
  isMixed: false,
};

/** Elements with such names are heads of substitution groups alone. The mappings do not say which elements are abstract. */
const abstractName = /\}[Aa]bstract[A-Z]/;

/** Elements and types of several schemas. Types are put together when they are asked for, as they name each other. */
export class ContentModel {
  readonly #classes = new Map<string, { mapped: MappedClass; module: Mapping }>();
  readonly #elements = new Map<string, GlobalElement>();
  readonly #members = new Map<string, string[]>();
  readonly #types = new Map<string, SimpleType | ComplexType>();
  readonly #namespaces = new Set<string>();

  constructor(mappings: readonly Mapping[]) {
    for (const module of mappings) {
      this.#namespaces.add(module.dens ?? '');
      for (const mapped of module.tis ?? [])
        this.#classes.set(`${module.n}.${mapped.ln}`, { mapped, module });
      for (const { en, ti, sh, sc } of module.eis ?? []) {
        if (sc !== undefined) continue;
        const key = elementKey(en, module);
        const head = sh === undefined ? undefined : elementKey(sh, module);
        this.#elements.set(key, { type: typeName(ti, module), head });
        if (head) this.#members.set(head, [...(this.#members.get(head) ?? []), key]);
      }
    }
  }

  /** Whether all elements of a namespace are known. */
  knows(namespace: string): boolean {
    return this.#namespaces.has(namespace);
  }

  /** The type of an element that may stand anywhere. */
  elementType(key: string): SimpleType | ComplexType | undefined {
    const found = this.#elements.get(key);
    return found && !abstractName.test(key) ? this.type(found.type) : undefined;
  }

  /** The type of a name. Throws for one that no mapping has. */
  type(name: TypeName): SimpleType | ComplexType {
    if (typeof name !== 'string') return { listOf: name.bti ?? 'String' };
    if (!name.includes('.')) return { builtin: name };
    const known = this.#types.get(name);
    if (known) return known;
    const found = this.#classes.get(name);
    if (!found) throw new Error(`No mapping has the type ${name}`);
    const { mapped, module } = found;
    const made =
      mapped.t === 'enum' ? { values: new Set(mapped.vs) } : this.#complexType(name, mapped, module);
    this.#types.set(name, made);
    return made;
  }

  #complexType(name: string, { bti, ps = [] }: MappedClass, module: Mapping): ComplexType {
    const base = bti === undefined ? emptyType : this.type(typeName(bti, module));
    if (!('particles' in base)) throw new Error(`The base of ${name} has no content`);
    const attributes = new Map(base.attributes);
    for (const one of ps.filter(({ t }) => t === 'a')) {
      const { lp, ns } = typeof one.an === 'object' ? one.an : { lp: one.an ?? one.n, ns: module.dans };
      attributes.set(nameKey(ns, lp), { type: this.#simpleType(one, module), isRequired: one.rq ?? false });
    }
    const text = ps.find(({ t }) => t === 'v');
    const elements = ps.filter(({ t }) => t !== 'a' && t !== 'v' && t !== 'aa');
    return {
      particles: [...base.particles, ...elements.map((one) => this.#particle(one, module))],
      alternatives: [...base.alternatives, ...(alternatives[name] ?? [])],
      attributes,
      hasAnyAttribute: base.hasAnyAttribute || ps.some(({ t }) => t === 'aa'),
      value: text ? this.#simpleType(text, module) : base.value,
      isMixed: base.isMixed || elements.some(({ t, mx }) => /^(ae|ers?)$/.test(t ?? '') && mx !== false),
    };
  }

  #simpleType({ n, ti }: MappedProperty, module: Mapping): SimpleType {
    const type = this.type(typeName(ti, module));
    if ('particles' in type) throw new Error(`${module.n}: the type of ${n} is not one of texts`);
    return type;
  }

  #particle(property: MappedProperty, module: Mapping): Particle {
    const { n, t = 'e', en = n, ti, etis, rq, col, mno = 1, mxo = Number.POSITIVE_INFINITY } = property;
    const isReference = t === 'er' || t === 'ers';
    const named = t === 'es' || t === 'ers' ? (etis ?? []) : t === 'ae' ? [] : [{ en, ti }];
    const elements = named.flatMap((one): [string, TypeName][] => {
      const key = elementKey(one.en, module);
      const group = isReference ? this.#groupOf(key) : [];
      return group.length ? group : [[key, typeName(one.ti, module)]];
    });
    return {
      property: n,
      elements: new Map(elements),
      // The mappings do not mark a place for any element of a known namespace, but name its property so.
      isWild: t === 'ae' || (isReference && (property.dom !== false || n.endsWith('OrAny'))),
      min: rq ? mno : 0,
      max: col ? mxo : 1,
    };
  }

  /** The elements that may stand for a head, and itself unless it is abstract. */
  #groupOf(head: string): [string, TypeName][] {
    const { type } = this.#elements.get(head) ?? {};
    const others = (this.#members.get(head) ?? []).flatMap((key) => this.#groupOf(key));
    return type === undefined || abstractName.test(head) ? others : [[head, type], ...others];
  }
}

const elementKey = (name: MappedName, { dens }: Mapping): string =>
  typeof name === 'string' ? nameKey(dens, name) : nameKey(name.ns, name.lp);

const typeName = (type: MappedType = 'String', { n }: Mapping): TypeName =>
  typeof type === 'string' && type.startsWith('.') ? `${n}${type}` : type;
