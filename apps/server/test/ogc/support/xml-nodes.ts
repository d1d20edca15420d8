import { SaxesParser } from 'saxes';

/** An attribute with the address of its namespace; without one it is empty. */
interface XmlAttribute {
  /** With its prefix, as it is written. */
  name: string;
  local: string;
  namespace: string;
  value: string;
}

/** An element with the address of its namespace: the tree of requests drops namespaces, which a check needs. */
export interface XmlNode {
  /** With its prefix, as it is written. */
  name: string;
  local: string;
  namespace: string;
  /** Without declarations of namespaces. */
  attributes: XmlAttribute[];
  /** Its own text, without that of elements in it. */
  text: string;
  children: XmlNode[];
  /** Addresses of namespaces by their prefixes, with those that elements around it declare. */
  prefixes: Readonly<Record<string, string>>;
}

const declarations = 'http://www.w3.org/2000/xmlns/';

/** A name with its namespace as one text. */
export const nameKey = (namespace: string | undefined, local: string): string =>
  `{${namespace ?? ''}}${local}`;

/** Parses a document with namespaces. Throws for XML that is not well-formed. */
export function parseNodes(xml: string): XmlNode {
  const parser = new SaxesParser({ xmlns: true });
  const top: XmlNode = {
    name: '',
    local: '',
    namespace: '',
    attributes: [],
    text: '',
    children: [],
    prefixes: {},
  };
  const open = [top];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, local, uri, attributes, ns }) => {
    const { children, prefixes } = open.at(-1)!;
    const node: XmlNode = {
      name,
      local,
      namespace: uri,
      attributes: Object.values(attributes)
        .filter((one) => one.uri !== declarations)
        .map((one) => ({ name: one.name, local: one.local, namespace: one.uri, value: one.value })),
      text: '',
      children: [],
      prefixes: { ...prefixes, ...ns },
    };
    children.push(node);
    open.push(node);
  });
  parser.on('closetag', () => void open.pop());
  const add = (text: string): void => {
    open.at(-1)!.text += text;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.write(xml).close();
  return top.children[0]!;
}

/** The value of an attribute without a namespace. */
export const attributeOf = ({ attributes }: XmlNode, name: string): string | undefined =>
  attributes.find(({ local, namespace }) => local === name && namespace === '')?.value;
