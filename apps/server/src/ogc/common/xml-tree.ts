import { badRequest, type ServiceError } from '@cartulary/errors';
import { createSlices } from '@cartulary/runtime';
import { SaxesParser } from 'saxes';

/** An element of a request. Names have no prefixes. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** Its own text, without that of elements in it. */
  text: string;
  children: XmlElement[];
}

/** Most elements of a document, and most levels of elements. */
const elementLimit = 1_000_000;
const depthLimit = 100;

/** Characters that are parsed at a time: other requests take their turn between them. */
const portion = 64 * 1024;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

const wrongXml = (why: string): ServiceError =>
  badRequest(`The XML is not understood: ${why}`, {
    parameters: ['body'],
    exception: 'OperationParsingFailed',
  });

/**
 * Parses XML 1.0, in UTF-8 or the encoding that it declares. A document type declaration is refused: its entities could name files and grow without limit.
 * Throws 400.
 */
export async function parseXml(source: string | Buffer): Promise<XmlElement> {
  const text = typeof source === 'string' ? source : decoded(source);
  const root: XmlElement = { name: '', attributes: {}, text: '', children: [] };
  const parser = parserInto(root);
  const slices = createSlices();
  for (let at = 0; at < text.length; at += portion) {
    if (slices.isOver()) await slices.next();
    parser.write(text.slice(at, at + portion));
  }
  parser.close();
  const [only] = root.children;
  if (!only) throw wrongXml('it has no element');
  return only;
}

/** Bytes of a declaration in which its encoding is looked for. */
const declarationBytes = 200;

function decoded(bytes: Buffer): string {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw wrongXml(`it is not in ${encoding}`);
  }
}

/** The encoding by the byte order mark or the declaration. A declaration that can be read byte by byte is not in UTF-16, whatever it says. */
function encodingOf(bytes: Buffer): string {
  const start = bytes.toString('latin1', 0, declarationBytes);
  if (start.startsWith('\xff\xfe')) return 'UTF-16LE';
  if (start.startsWith('\xfe\xff')) return 'UTF-16BE';
  const declared = /^\s*<\?xml\s[^>]*?\bencoding=["']([\w.-]+)["']/.exec(start)?.[1];
  return declared === undefined || /^utf-?16/i.test(declared) ? 'UTF-8' : declared;
}

function parserInto(root: XmlElement): Pick<SaxesParser, 'write' | 'close'> {
  const parser = new SaxesParser();
  const open = [root];
  let count = 0;
  parser.on('error', ({ message }) => {
    throw wrongXml(message.slice(0, 200));
  });
  parser.on('doctype', () => {
    throw wrongXml('a document type declaration (DOCTYPE) is not taken');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++count > elementLimit) throw wrongXml(`more than ${elementLimit} elements`);
    if (open.length > depthLimit) throw wrongXml(`elements in more than ${depthLimit} levels`);
    const named = Object.entries(attributes as Record<string, string>).map(
      ([key, value]) => [localName(key), value] as const,
    );
    const element = { name: localName(name), attributes: Object.fromEntries(named), text: '', children: [] };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  const add = (text: string): void => {
    open.at(-1)!.text += text;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  return parser;
}

/** The first element of a name below another. */
export const elementIn = ({ children }: XmlElement, name: string): XmlElement | undefined =>
  children.find((child) => child.name === name);

/** All elements of a name below another. */
export const elementsIn = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter((child) => child.name === name);
