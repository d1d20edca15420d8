/** An element with what is in it. Names are without prefixes. */
export interface XmlNode {
  name: string;
  attributes: Record<string, string>;
  /** All text that stands in it directly; of an element of text also the tags in it. */
  text: string;
  children: XmlNode[];
}

/** The name of an element without its prefix. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

export const childrenOf = (node: XmlNode, name: string): XmlNode[] =>
  node.children.filter((child) => child.name === name);

export const childOf = (node: XmlNode, name: string): XmlNode | undefined =>
  node.children.find((child) => child.name === name);

/** The text of a child, without blanks around it; undefined when there is no such child. */
export const textOf = (node: XmlNode, name: string): string | undefined => childOf(node, name)?.text.trim();
