import { type SaxesAttributePlain, SaxesParser, type SaxesTagPlain } from 'saxes';
import { ServiceError } from '../../errors.js';
import { wgs84 } from '../../geo/srs.js';
import type { FeatureReader, RawFeature } from '../geojson.js';
import { kmlGeometry } from './kml-geometry.js';
import { kmlProperties, type Schemas } from './kml-properties.js';
import { childrenOf, localName, type XmlNode } from './xml.js';
import { createXmlDecoder } from './xml-decoder.js';

export interface KmlOptions {
  /** The number of its first feature. */
  first: number;
  /** Characters. */
  featureLimit: number;
  /** The encoding when it was given; else what the file says, else UTF-8. */
  encoding: string | undefined;
  found(encoding: string): void;
  /** Told of what is no feature and so left out: the name of the element. */
  leftOut(element: string): void;
}

/** Deepest nesting of elements. */
const deepest = 200;

/** Elements that show something which is no object with geometry. */
const noFeatures = new Set(['GroundOverlay', 'ScreenOverlay', 'PhotoOverlay', 'NetworkLink', 'Tour']);

interface Reading {
  readonly options: KmlOptions;
  /** Names of the open elements. */
  readonly path: string[];
  /** Names of the open folders; empty where one has none (yet). */
  readonly folders: string[];
  readonly schemas: Schemas;
  /** The Placemark or Schema that is being collected, and the open elements in it. */
  open: XmlNode[];
  /** The text of the name of a folder. */
  folderName: string | undefined;
  size: number;
  count: number;
  done: RawFeature[];
}

/**
 * Reads KML 2.2 and 2.3 as its bytes come: every Placemark, wherever it stands. Throws `import_failed` with the line where it
 * is no XML, has a document type declaration (entities!), or is no KML.
 */
export function createKmlReader(options: KmlOptions): FeatureReader {
  const reading: Reading = {
    options,
    path: [],
    folders: [],
    schemas: new Map(),
    open: [],
    folderName: undefined,
    size: 0,
    count: options.first - 1,
    done: [],
  };
  const decoder = createXmlDecoder(options.encoding, options.found);
  const parser = createParser(reading);
  const taken = (): RawFeature[] => reading.done.splice(0);
  return {
    push(chunk) {
      parser.write(decoder.write(chunk));
      return taken();
    },
    end() {
      parser.write(decoder.end());
      parser.close();
      if (reading.path.length) throw failed('The KML is cut off');
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
  parser.on('closetag', () => closed(reading));
  return parser;
}

function opened(reading: Reading, tag: SaxesTagPlain): void {
  const { path, open, folders, options } = reading;
  const name = localName(tag.name);
  if (!path.length && name !== 'kml') throw failed(`Not KML: the root element is '${name.slice(0, 50)}'`);
  if (path.length >= deepest) throw failed(`Elements lie more than ${deepest} deep within each other`);
  const parent = path.at(-1);
  path.push(name);
  if (open.length || name === 'Placemark' || name === 'Schema') {
    collect(reading, name, tag.attributes as Record<string, SaxesAttributePlain | string>);
  } else if (name === 'Folder') folders.push('');
  else if (name === 'name' && parent === 'Folder') reading.folderName = '';
  else if (noFeatures.has(name)) options.leftOut(name);
}

function collect(reading: Reading, name: string, attributes: Record<string, unknown>): void {
  const node: XmlNode = { name, attributes: attributes as Record<string, string>, text: '', children: [] };
  if (reading.open.length) reading.open.at(-1)!.children.push(node);
  else reading.size = 0;
  reading.open.push(node);
  grow(reading, 50);
}

/** Keeps a feature from taking all the memory. */
function grow(reading: Reading, characters: number): void {
  reading.size += characters;
  if (reading.size > reading.options.featureLimit) {
    throw new ServiceError(
      'too_large',
      `Feature ${reading.count + 1} is larger than ${reading.options.featureLimit}`,
    );
  }
}

function said(reading: Reading, text: string): void {
  const node = reading.open.at(-1);
  if (node) {
    grow(reading, text.length);
    node.text += text;
  } else if (reading.folderName !== undefined && reading.folderName.length < 1_000)
    reading.folderName += text;
}

function closed(reading: Reading): void {
  const { path, folders, open } = reading;
  const name = path.pop()!;
  const node = open.pop();
  if (node) {
    if (!open.length) completed(reading, node);
  } else if (name === 'Folder') folders.pop();
  else if (name === 'name' && reading.folderName !== undefined) {
    folders[folders.length - 1] = reading.folderName.trim();
    reading.folderName = undefined;
  }
}

function completed(reading: Reading, node: XmlNode): void {
  if (node.name === 'Schema') {
    const fields = childrenOf(node, 'SimpleField').map(({ attributes }): [string, string] => [
      attributes.name ?? '',
      attributes.type ?? 'string',
    ]);
    for (const key of [node.attributes.id, node.attributes.name]) {
      if (key) reading.schemas.set(key, new Map(fields));
    }
    return;
  }
  const number = ++reading.count;
  const folder = reading.folders.filter(Boolean).join(' / ');
  const properties = kmlProperties(node, reading.schemas);
  if (folder && !('folder' in properties)) properties.folder = folder;
  try {
    reading.done.push({ number, id: undefined, geometry: kmlGeometry(node), properties });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    reading.done.push({ number, id: undefined, geometry: null, properties, error });
  }
}
