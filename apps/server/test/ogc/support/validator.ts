import { type ComplexType, type ContentModel, emptyType, type Particle } from './content-model.js';
import { isValue, type SimpleType } from './simple-values.js';
import { nameKey, parseNodes, type XmlNode } from './xml-nodes.js';

const instance = 'http://www.w3.org/2001/XMLSchema-instance';
const xlink = 'http://www.w3.org/1999/xlink';

interface Checking {
  model: ContentModel;
  faults: string[];
  /** Values of type ID, which are unique in a document. */
  ids: Set<string>;
}

/** An element with the names of the elements around it. */
interface Placed {
  node: XmlNode;
  path: string;
}

/** What is wrong in a document by the schemas of a content model, each with the path of its element. */
export function faultsOf(xml: string, model: ContentModel): string[] {
  const node = parseNodes(xml);
  const checking = { model, faults: [], ids: new Set<string>() };
  const placed = { node, path: `/${node.name}` };
  const type = model.elementType(nameKey(node.namespace, node.local));
  if (!type) return [`${placed.path}: the element is not known`];
  checkElement(checking, placed, type);
  return checking.faults;
}

function checkElement(checking: Checking, placed: Placed, type: SimpleType | ComplexType): void {
  if ('particles' in type) checkComplex(checking, placed, type);
  else if ('builtin' in type && type.builtin === 'AnyType') checkAny(checking, placed);
  else checkComplex(checking, placed, { ...emptyType, value: type });
}

function checkComplex(checking: Checking, placed: Placed, type: ComplexType): void {
  const { node, path } = placed;
  checkAttributes(checking, placed, type);
  const isNil = node.attributes.some(({ local, namespace, value }) =>
    namespace === instance ? local === 'nil' && /^(true|1)$/.test(value) : false,
  );
  if (isNil) {
    if (node.text.trim() || node.children.length) checking.faults.push(`${path}: it is nil and has content`);
    return;
  }
  if (type.value) checkValue(checking, placed, { what: 'its text', text: node.text, type: type.value });
  else if (!type.isMixed && node.text.trim()) checking.faults.push(`${path}: text may not stand here`);
  const counts = checkChildren(checking, placed, type.particles);
  if (!isByReference(node)) checkRequired(checking, placed, { type, counts });
}

/** A property of GML has no content where it names another place of it, or the reason of its absence. */
const isByReference = ({ attributes }: XmlNode): boolean =>
  attributes.some(({ local, namespace }) =>
    namespace === xlink ? local === 'href' : namespace === '' && local === 'nilReason',
  );

function checkAttributes(checking: Checking, placed: Placed, type: ComplexType): void {
  const { node, path } = placed;
  const found = new Set<string>();
  for (const { name, local, namespace, value } of node.attributes) {
    if (namespace === instance) continue;
    const key = nameKey(namespace, local);
    found.add(key);
    const declared = type.attributes.get(key);
    if (declared) checkValue(checking, placed, { what: name, text: value, type: declared.type });
    else if (!type.hasAnyAttribute) checking.faults.push(`${path}: the attribute ${name} is not allowed`);
  }
  for (const [key, { isRequired }] of type.attributes)
    if (isRequired && !found.has(key))
      checking.faults.push(`${path}: the attribute ${localOf(key)} is missing`);
}

function checkValue(
  { faults, ids }: Checking,
  { node, path }: Placed,
  { what, text, type }: { what: string; text: string; type: SimpleType },
): void {
  if (!isValue(type, text, node.prefixes))
    faults.push(`${path}: ${what} is '${text.slice(0, 100)}', which is no ${described(type)}`);
  if (!('builtin' in type) || type.builtin !== 'ID') return;
  if (ids.has(text)) faults.push(`${path}: ${what} '${text}' occurs twice`);
  ids.add(text);
}

/** Goes through the elements and the places of a type side by side. Gives the number of elements at each place. */
function checkChildren(checking: Checking, placed: Placed, particles: readonly Particle[]): number[] {
  const counts = particles.map(() => 0);
  let at = 0;
  for (const child of childrenOf(placed)) {
    const key = nameKey(child.node.namespace, child.node.local);
    const isFree = (i: number): boolean => i >= at && counts[i]! < particles[i]!.max;
    const byName = particles.findIndex(({ elements }, i) => isFree(i) && elements.has(key));
    const place = byName < 0 ? particles.findIndex(({ isWild }, i) => isFree(i) && isWild) : byName;
    if (place < 0) {
      const other = particles.findIndex(({ elements }) => elements.has(key));
      checking.faults.push(`${child.path}: ${misplaced(particles, other, at)}`);
      if (other >= 0) counts[other]!++;
      continue;
    }
    at = place;
    counts[place]!++;
    const type = particles[place]!.elements.get(key);
    if (type === undefined) checkWild(checking, child);
    else checkElement(checking, child, checking.model.type(type));
  }
  return counts;
}

function misplaced(particles: readonly Particle[], own: number, last: number): string {
  if (own < 0) return 'the element is not allowed here';
  if (own === last) return `at most ${particles[own]!.max} of it may stand here`;
  return `the element is in the wrong order: it belongs before ${namesOf(particles[last]!)}`;
}

function checkRequired(
  { faults }: Checking,
  { path }: Placed,
  { type, counts }: { type: ComplexType; counts: readonly number[] },
): void {
  const { particles } = type;
  const countOf = (property: string): number =>
    counts[particles.findIndex((one) => one.property === property)] ?? 0;
  const excused = new Set<string>();
  for (const group of type.alternatives) {
    const ways = group.filter((way) => way !== '?').map((way) => way.split(' '));
    const taken = ways.filter((way) => way.some(countOf));
    for (const property of ways.filter((way) => way !== taken[0]).flat()) excused.add(property);
    const texts = ways.map((way) => way.join(' and '));
    if (taken.length > 1) faults.push(`${path}: one of ${texts.join(', ')} excludes the others`);
    if (!taken.length && !group.includes('?')) faults.push(`${path}: one of ${texts.join(', ')} is missing`);
  }
  particles.forEach((particle, i) => {
    if (counts[i]! < particle.min && !excused.has(particle.property))
      faults.push(`${path}: ${namesOf(particle)} is missing, ${counts[i]} of ${particle.min} are there`);
  });
}

/** The elements in one whose schema says nothing of them. */
function checkAny(checking: Checking, placed: Placed): void {
  for (const child of childrenOf(placed)) checkWild(checking, child);
}

/** An element at a place of any element. One of a namespace without schema is left, and elements in it are checked. */
function checkWild(checking: Checking, placed: Placed): void {
  const { local, namespace } = placed.node;
  const type = checking.model.elementType(nameKey(namespace, local));
  if (type) checkElement(checking, placed, type);
  else if (checking.model.knows(namespace)) checking.faults.push(`${placed.path}: the element is not known`);
  else checkAny(checking, placed);
}

function childrenOf({ node, path }: Placed): Placed[] {
  const numbers = new Map<string, number>();
  return node.children.map((child) => {
    const number = (numbers.get(child.name) ?? 0) + 1;
    numbers.set(child.name, number);
    return { node: child, path: `${path}/${child.name}${number > 1 ? `[${number}]` : ''}` };
  });
}

const localOf = (key: string): string => key.slice(key.indexOf('}') + 1);

function namesOf({ elements, property }: Particle): string {
  const names = [...elements.keys()].map(localOf);
  return names.length && names.length < 4 ? names.join(' or ') : property;
}

function described(type: SimpleType): string {
  if ('builtin' in type) return type.builtin;
  return 'listOf' in type ? `list of ${type.listOf}` : `value among ${[...type.values].join(', ')}`;
}
