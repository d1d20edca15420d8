import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { wgs84 } from '@cartulary/geo';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { OwnField } from '../../own-exports/own-archive.js';
import type { FeatureReader, RawFeature } from '../../raw-feature.js';
import type { Remarker } from '../../reading/summary.js';
import { containerElements, containers, markupElements, otherFeatures } from './kml-elements.js';
import { kmlGeometry } from './kml-geometry.js';
import { kmlProperties, ownColumns, type Schemas } from './kml-properties.js';
import { remarkOn, unread } from './kml-remarks.js';
import { childElements, childText, localName, type XmlNode } from './xml.js';
import { createXmlDecoder } from './xml-decoder.js';

export interface KmlOptions {
  /** Number of its first feature. */
  first: number;
  /** Maximum size of a feature, characters. */
  featureLimit: number;
  /** The given encoding; default: the declared one, else UTF-8. */
  encoding: string | undefined;
  found(encoding: string): void;
  /** Receives the columns that an own export declares. */
  own(fields: readonly OwnField[]): void;
  /** Receives elements that become neither a feature nor a part of one. */
  remark: Remarker;
}

/** Maximum nesting of elements. */
const deepest = 200;

interface Reading {
  readonly options: KmlOptions;
  /** Names of the open elements. */
  readonly path: string[];
  /** Names of the open folders; empty for a folder without a name (so far). */
  readonly folders: string[];
  readonly schemas: Schemas;
  /** Names of elements that a schema defines as Placemarks, as in the first versions of KML. */
  readonly placemarks: Set<string>;
  /** The current Placemark or Schema, and the open elements within it. */
  open: XmlNode[];
  /** The text of the current folder name. */
  folderName: string | undefined;
  /** Open HTML tags within a text. */
  markup: number;
  size: number;
  /** Characters of a tag, comment or text that has not come to its end: the parser holds it. */
  silent: number;
  count: number;
  done: RawFeature[];
}

/**
 * Reads KML 2.2 and 2.3 as a stream: every Placemark, wherever it stands. Throws `import_failed` with the line for
 * invalid XML, for a document type declaration (its entities allow attacks), and for other XML.
 */
export function createKmlReader(options: KmlOptions): FeatureReader {
  const reading: Reading = {
    options,
    path: [],
    folders: [],
    schemas: new Map(),
    placemarks: new Set(['Placemark']),
    open: [],
    folderName: undefined,
    markup: 0,
    size: 0,
    silent: 0,
    count: options.first - 1,
    done: [],
  };
  const decoder = createXmlDecoder(options.encoding, options.found);
  const parser = createParser(reading);
  const taken = (): RawFeature[] => reading.done.splice(0);
  return {
    push(chunk) {
      const text = decoder.write(chunk);
      reading.silent += text.length;
      parser.write(text);
      demandSize(reading, reading.silent);
      return taken();
    },
    end() {
      parser.write(decoder.end());
      parser.close();
      if (reading.path.length) throw failed(noteOf('kmlCutOff'));
      return taken();
    },
    srs: () => wgs84,
  };
}

const failed = (message: string): ServiceError => new ServiceError('import_failed', message);

function createParser(reading: Reading): SaxesParser {
  const parser = new SaxesParser({ xmlns: false, position: true });
  parser.on('error', ({ message }) => {
    const where = message.replace(/^(?:undefined:)?(\d+):(\d+): /, 'line $1, column $2: ');
    throw failed(`Not valid XML: ${where.slice(0, 300)}`);
  });
  parser.on('doctype', () => {
    throw failed('KML with a document type declaration (DOCTYPE) is not imported');
  });
  parser.on('opentag', (tag: SaxesTagPlain) => opened(reading, tag));
  parser.on('text', (text) => said(reading, text));
  parser.on('cdata', (text) => said(reading, text));
  parser.on('closetag', (tag) => closed(reading, tag));
  parser.on('comment', () => {
    reading.silent = 0;
  });
  return parser;
}

function opened(reading: Reading, tag: SaxesTagPlain): void {
  reading.silent = 0;
  const { path, open, folders, options } = reading;
  const name = localName(tag.name);
  if (!path.length && name !== 'kml') throw failed(`Not KML: the root element is '${name.slice(0, 50)}'`);
  if (path.length >= deepest) throw failed(`Elements lie more than ${deepest} deep within each other`);
  const parent = path.at(-1);
  path.push(name);
  if (open.length && markupElements.has(open.at(-1)!.name)) {
    reading.markup++;
    said(reading, shownTag(tag));
  } else if (open.length || reading.placemarks.has(name) || name === 'Schema') {
    collect(reading, name, tag.attributes as Record<string, string>);
  } else if (name === 'Folder') folders.push('');
  else if (name === 'name' && parent === 'Folder') reading.folderName = '';
  else if (otherFeatures.has(name)) options.remark(name, noteOf('noObject'));
  else if (parent && containers.has(parent) && !containerElements.has(name)) options.remark(name, unread);
}

/** An HTML tag within a text. */
function shownTag({ name, attributes, isSelfClosing }: SaxesTagPlain): string {
  const list = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${value.replaceAll('"', '&quot;')}"`,
  );
  return `<${name}${list.join('')}${isSelfClosing ? '/' : ''}>`;
}

function collect(reading: Reading, name: string, attributes: Record<string, unknown>): void {
  const node: XmlNode = { name, attributes: attributes as Record<string, string>, text: '', children: [] };
  if (reading.open.length) reading.open.at(-1)!.children.push(node);
  else reading.size = 0;
  reading.open.push(node);
  grow(reading, 50);
}

/** Limits the memory that a feature can take. */
function grow(reading: Reading, characters: number): void {
  reading.size += characters;
  demandSize(reading, reading.size);
}

function demandSize({ count, options: { featureLimit } }: Reading, size: number): void {
  if (size > featureLimit)
    throw new ServiceError('too_large', `Feature ${count + 1} is larger than ${featureLimit}`);
}

function said(reading: Reading, text: string): void {
  reading.silent = 0;
  const node = reading.open.at(-1);
  if (node) {
    grow(reading, text.length);
    node.text += text;
  } else if (reading.folderName !== undefined && reading.folderName.length < 1_000)
    reading.folderName += text;
}

function closed(reading: Reading, tag: SaxesTagPlain): void {
  reading.silent = 0;
  const { path, folders, open } = reading;
  const name = path.pop()!;
  if (reading.markup) {
    reading.markup--;
    if (!tag.isSelfClosing) said(reading, `</${tag.name}>`);
    return;
  }
  const node = open.pop();
  if (node) {
    if (!open.length) completed(reading, node);
  } else if (name === 'Folder') folders.pop();
  else if (name === 'name' && reading.folderName !== undefined) {
    folders[folders.length - 1] = reading.folderName.trim();
    reading.folderName = undefined;
  }
}

/** A schema gives the types of fields, and in the first versions of KML the element name of its Placemarks. */
function takeSchema({ schemas, placemarks }: Reading, node: XmlNode): void {
  const fields = childElements(node, 'SimpleField').map(({ attributes }): [string, string] => [
    attributes.name ?? '',
    attributes.type ?? 'string',
  ]);
  const { id, name = childText(node, 'name'), parent = childText(node, 'parent') } = node.attributes;
  for (const key of [id, name]) if (key) schemas.set(key, new Map(fields));
  if (name && parent && placemarks.has(parent)) placemarks.add(name);
}

function completed(reading: Reading, node: XmlNode): void {
  if (node.name === 'Schema') {
    takeSchema(reading, node);
    const own = ownColumns(node);
    if (own.length) reading.options.own(own);
    return;
  }
  const number = ++reading.count;
  const folder = reading.folders.filter(Boolean).join(' / ');
  const properties = kmlProperties(node, reading.schemas);
  if (folder && !('folder' in properties)) properties.folder = folder;
  const { remark } = reading.options;
  remarkOn(node, number, remark);
  try {
    const geometry = kmlGeometry(node, (what, becomes) => remark(what, becomes, number));
    reading.done.push({ number, id: undefined, geometry, properties });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    reading.done.push({ number, id: undefined, geometry: null, properties, error });
  }
}
