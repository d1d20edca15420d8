/** An element with its content. Names have no prefixes. */
export interface XmlNode {
  name: string;
  attributes: Record<string, string>;
  /** The direct text content; for a text element including HTML tags. */
  text: string;
  children: XmlNode[];
}

/** The name of an element without its prefix. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

export const childElements = (node: XmlNode, name: string): XmlNode[] =>
  node.children.filter((child) => child.name === name);

export const childOf = (node: XmlNode, name: string): XmlNode | undefined =>
  node.children.find((child) => child.name === name);

/** The trimmed text of a child; undefined if there is no such child. */
export const childText = (node: XmlNode, name: string): string | undefined =>
  childOf(node, name)?.text.trim();
