import { badRequest } from '@cartulary/errors';
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { CostOfSvg, type Drawn, drawnIn, initialStyle } from './svg-cost.js';
import { pixelsOf } from './svg-length.js';

/** An SVG in the form in which it is stored, written again from the allowed parts. */
export interface CleanSvg {
  text: string;
  /** Pixels. */
  width: number;
  height: number;
}

export interface SvgLimits {
  /** Longest side, pixels. */
  side: number;
}

const svgNamespace = 'http://www.w3.org/2000/svg';
const xlinkNamespace = 'http://www.w3.org/1999/xlink';

/**
 * Elements that draw. Other SVG elements are refused by name. Descriptions and other namespaces are left out.
 */
const drawing = new Set(
  'svg g defs path rect circle ellipse line polyline polygon linearGradient radialGradient stop'.split(' '),
);
const describing = new Set(['title', 'desc', 'metadata']);

const most = { elements: 5_000, depth: 50 };

const number = '[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d{1,2})?';
const form = (pattern: string): RegExp => new RegExp(`^\\s*(?:${pattern})\\s*$`);
const length = form(`${number}(?:px|pt|pc|mm|cm|in|em|%)?`);
const word = form('[A-Za-z-]{1,40}');
const paint = form(
  `#[0-9A-Fa-f]{3,8}|[A-Za-z]{1,40}|(?:rgb|rgba|hsl|hsla)\\([\\d.,%\\s]{1,60}\\)|url\\(\\s*#[\\w.:-]{1,100}\\s*\\)(?:\\s+[A-Za-z]{1,40})?`,
);
const numbers = form('[-+.\\deE,\\s]*');
const pathData = form('[MmZzLlHhVvCcSsQqTtAaEe0-9.,+\\-\\s]*');
const transform = form('(?:(?:matrix|translate|scale|rotate|skewX|skewY)\\s*\\([-+.\\deE,\\s]*\\)[\\s,]*)*');
const name = form('[\\w.:-]{1,100}');
const dashes = form('none|[.\\dpx,\\s]*');

/** Attributes (and properties of `style`) with the form of their values. */
const attributes: ReadonlyMap<string, RegExp> = new Map(
  (
    [
      ['x y x1 y1 x2 y2 cx cy r rx ry fx fy width height offset', length],
      ['stroke-width stroke-miterlimit stroke-dashoffset', length],
      ['opacity fill-opacity stroke-opacity stop-opacity', length],
      ['fill stroke stop-color color', paint],
      ['fill-rule clip-rule stroke-linecap stroke-linejoin display visibility', word],
      ['gradientUnits spreadMethod', word],
      ['d', pathData],
      ['points viewBox', numbers],
      ['transform gradientTransform', transform],
      ['stroke-dasharray', dashes],
      ['id', name],
    ] as const
  ).flatMap(([names, pattern]) => names.split(' ').map((one): [string, RegExp] => [one, pattern])),
);

/**
 * Parses an SVG and writes it again with shapes and paint only: no script, text, embedded picture, outside
 * reference or entity. Throws 400 with the reason and the line.
 */
export function cleanSvg(source: string, limits: SvgLimits): CleanSvg {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const refuse = (why: string): never => {
    throw badRequest(`The SVG is not accepted: line ${parser.line}: ${why}`, { line: parser.line });
  };
  const writer = new SvgWriter(limits, refuse);
  parser.on('error', (error) => refuse(error.message.replace(/^\d+:\d+: /, '')));
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) refuse('a DOCTYPE with declarations');
  });
  parser.on('opentag', (tag) => writer.open(tag));
  parser.on('closetag', (tag) => writer.close(tag));
  parser.write(source).close();
  return writer.result();
}

/** Writes the allowed elements of a parsed SVG. */
class SvgWriter {
  readonly #limits: SvgLimits;
  readonly #refuse: Refuse;
  #text = '';
  #depth = 0;
  /** Open elements that are left out. */
  #skipped = 0;
  #elements = 0;
  #size: { width: number; height: number } | undefined;
  #cost: CostOfSvg | undefined;
  /** The properties of the enclosing elements. */
  readonly #around: Drawn[] = [initialStyle];

  constructor(limits: SvgLimits, refuse: Refuse) {
    this.#limits = limits;
    this.#refuse = refuse;
  }

  open(tag: SaxesTagNS): void {
    this.#depth += 1;
    this.#elements += 1;
    const isRoot = this.#depth === 1;
    if (this.#elements > most.elements) this.#refuse(`more than ${most.elements} elements`);
    if (this.#depth > most.depth) this.#refuse(`elements nested deeper than ${most.depth}`);
    if (isRoot && (tag.local !== 'svg' || isLeftOut(tag)))
      this.#refuse(`the root is <${tag.local}>, not <svg>`);
    if (this.#skipped || isLeftOut(tag)) {
      this.#skipped += 1;
      return;
    }
    if (!drawing.has(tag.local) || (!isRoot && tag.local === 'svg'))
      this.#refuse(`<${tag.local}> is not allowed`);
    this.#write(tag, isRoot);
  }

  #write(tag: SaxesTagNS, isRoot: boolean): void {
    const kept = keptAttributes(tag, this.#refuse);
    if (isRoot) {
      const size = sizeOf(kept, this.#limits, this.#refuse);
      kept.set('width', String(size.width)).set('height', String(size.height));
      this.#size = size;
      this.#cost = new CostOfSvg(sideOf(kept, size), Math.max(size.width, size.height));
    }
    const drawn = drawnIn(this.#around.at(-1)!, kept);
    this.#around.push(drawn);
    const excess = this.#cost!.add(tag.local, kept, drawn);
    if (excess) this.#refuse(excess);
    const written = [...kept].map(([key, value]) => ` ${key}="${escaped(value)}"`).join('');
    this.#text += isRoot
      ? `<svg xmlns="${svgNamespace}" xmlns:xlink="${xlinkNamespace}"${written}>`
      : `<${tag.local}${written}>`;
  }

  close(tag: SaxesTagNS): void {
    this.#depth -= 1;
    if (this.#skipped) this.#skipped -= 1;
    else {
      this.#text += `</${tag.local}>`;
      this.#around.pop();
    }
  }

  /** Valid once the root has been closed. */
  result(): CleanSvg {
    return { text: this.#text, ...this.#size! };
  }
}

/** Whether an element is skipped: of another namespace (editors leave them behind), or a description. */
const isLeftOut = ({ uri, local }: SaxesTagNS): boolean =>
  (uri !== svgNamespace && uri !== '') || describing.has(local);

type Refuse = (why: string) => never;

function keptAttributes(tag: SaxesTagNS, refuse: Refuse): Map<string, string> {
  const kept = new Map<string, string>();
  for (const { uri, local, value } of Object.values(tag.attributes) as SaxesAttributeNS[]) {
    const isReference = local === 'href' && (uri === '' || uri === xlinkNamespace);
    if (isReference) {
      if (!/^#[\w.:-]{1,100}$/.test(value)) refuse('a reference to something outside');
      kept.set('xlink:href', value);
    } else if (uri === '' && /^on/i.test(local)) refuse(`the attribute ${local}`);
    else if (uri === '' && local === 'style') {
      for (const [property, given] of declarations(value)) keep(kept, property, given, refuse);
    } else if (uri === '') keep(kept, local, value, refuse);
  }
  return kept;
}

/** Keeps a known attribute. An unknown attribute does not change the picture. */
function keep(kept: Map<string, string>, attribute: string, value: string, refuse: Refuse): void {
  const pattern = attributes.get(attribute);
  if (!pattern) {
    if (/url\s*\(/i.test(value)) refuse(`${attribute} refers to something`);
    return;
  }
  if (!pattern.test(value)) refuse(`the value of ${attribute}`);
  if (attribute !== 'stroke-dasharray' || hasLength(value)) kept.set(attribute, value.trim());
}

/** Dashes of no length would never end. */
const hasLength = (value: string): boolean =>
  value
    .split(/[\s,]+/)
    .map(Number.parseFloat)
    .reduce((sum, one) => sum + (one || 0), 0) >= 0.1;

/** The properties of a `style` attribute. */
const declarations = (style: string): [string, string][] =>
  style.split(';').flatMap((part): [string, string][] => {
    const colon = part.indexOf(':');
    return colon < 0 ? [] : [[part.slice(0, colon).trim(), part.slice(colon + 1).trim()]];
  });

/** The size in pixels: width and height, else that of the viewBox. */
function sizeOf(
  kept: ReadonlyMap<string, string>,
  { side }: SvgLimits,
  refuse: Refuse,
): { width: number; height: number } {
  const box = (kept.get('viewBox') ?? '').split(/[\s,]+/).map(Number);
  const pixels = (attribute: string, ofBox: number | undefined): number =>
    pixelsOf(kept.get(attribute)) ?? ofBox ?? Number.NaN;
  const [width, height] = [pixels('width', box[2]), pixels('height', box[3])];
  if (kept.has('viewBox') && !(box.length === 4 && box[2]! > 0 && box[3]! > 0)) refuse('the viewBox');
  if (!(width >= 1 && height >= 1 && width <= side && height <= side))
    refuse(`width and height must be 1 to ${side} pixels`);
  return { width, height };
}

/** The longer side of the visible box, in units of the shapes. */
const sideOf = (
  kept: ReadonlyMap<string, string>,
  { width, height }: { width: number; height: number },
): number => {
  const [, , ofBox, highOfBox] = (kept.get('viewBox') ?? '').split(/[\s,]+/).map(Number);
  return Math.max(ofBox || width, highOfBox || height);
};

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character]!);
