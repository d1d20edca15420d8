import type { MappedClass, MappedProperty, Mapping } from './jsonix-mappings.js';
import { attributeOf, parseNodes, type XmlNode } from './xml-nodes.js';

const schemaNamespace = 'http://www.w3.org/2001/XMLSchema';

/** Simple types of features by their names in Jsonix. */
const simple: Readonly<Record<string, string>> = {
  string: 'String',
  double: 'Double',
  boolean: 'Boolean',
  dateTime: 'DateTime',
};

/**
 * The answer of DescribeFeatureType as a mapping beside those of the standards, so that features are checked by what it
 * declares. Throws for parts of XML Schema that the service does not write, and for types that the others do not have.
 */
export function featureMapping(xsd: string, others: readonly Mapping[]): Mapping {
  const schema = parseNodes(xsd);
  assertPart(schema, 'schema');
  const namespace = attributeOf(schema, 'targetNamespace') ?? '';
  const mapping: Mapping = { n: 'Features', dens: namespace };
  const types = (node: XmlNode, name: string): string => typeOf(node, name, [mapping, ...others]);
  mapping.tis = partsOf(schema, 'complexType').map((node) => classOf(node, types));
  const isQualified = attributeOf(schema, 'elementFormDefault') === 'qualified';
  if (!isQualified) throw new Error('Properties of features have the namespace of their schema');
  mapping.eis = partsOf(schema, 'element').map((node) => {
    const [ns, lp] = resolved(node, attributeOf(node, 'substitutionGroup')!);
    return {
      en: attributeOf(node, 'name')!,
      ti: types(node, attributeOf(node, 'type')!),
      sh: { lp, ns },
    };
  });
  const known = new Set(['import', 'complexType', 'element']);
  const other = schema.children.find(({ local }) => !known.has(local));
  if (other) throw new Error(`${other.name} is not expected in a schema of features`);
  return mapping;
}

type Types = (node: XmlNode, name: string) => string;

function classOf(node: XmlNode, types: Types): MappedClass {
  const extension = onlyPart(onlyPart(node, 'complexContent'), 'extension');
  const sequence = onlyPart(extension, 'sequence');
  for (const child of sequence.children) assertPart(child, 'element');
  return {
    ln: attributeOf(node, 'name')!,
    bti: types(extension, attributeOf(extension, 'base')!),
    ps: sequence.children.map((element): MappedProperty => {
      const n = attributeOf(element, 'name')!;
      const isOptional = attributeOf(element, 'minOccurs') === '0';
      return { n, ti: types(element, attributeOf(element, 'type')!), rq: !isOptional };
    }),
  };
}

function typeOf(node: XmlNode, name: string, mappings: readonly Mapping[]): string {
  const [namespace, local] = resolved(node, name);
  if (namespace === schemaNamespace && simple[local]) return simple[local];
  const mapping = mappings.find(({ dens }) => dens === namespace);
  // Types of the schema itself are read after the elements that name them.
  if (mapping === mappings[0] && mapping) return `.${local}`;
  const found = mapping?.tis?.find(({ ln, tn }) => (tn === undefined ? ln : tn) === local);
  if (!mapping || !found) throw new Error(`The type ${name} is not known`);
  return `${mapping.n}.${found.ln}`;
}

function resolved({ prefixes }: XmlNode, name: string): [namespace: string, local: string] {
  const [prefix, local] = name.includes(':') ? name.split(':') : ['', name];
  return [prefixes[prefix!] ?? '', local!];
}

const partsOf = ({ children }: XmlNode, name: string): XmlNode[] =>
  children.filter(({ local, namespace }) => local === name && namespace === schemaNamespace);

function onlyPart(node: XmlNode, name: string): XmlNode {
  const [only, ...others] = node.children;
  if (!only || others.length) throw new Error(`${node.name} has one ${name}`);
  assertPart(only, name);
  return only;
}

function assertPart({ name, local, namespace }: XmlNode, expected: string): void {
  if (local !== expected || namespace !== schemaNamespace)
    throw new Error(`${name} stands where ${expected} is expected`);
}
