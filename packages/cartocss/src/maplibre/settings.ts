import { sha256 } from '../mapnik/hash.js';
import type { Symbolizer } from '../rules/rules.js';
import type { Attribute } from '../values/convert.js';
import { type MapLibreColumns, type MapLibreExpression, toMapLibre, toMapLibreText } from './expressions.js';
import { Inexpressible } from './inexpressible.js';

/** Ends of names of properties without a counterpart, which change edges of shapes alone. */
const unseen = /-(gamma|gamma-method|rasterizer|clip|simplify|simplify-algorithm|max-error|avoid-edges)$/;
/** Properties that change a picture too much to be left out. */
const decisive = /-(transform|geometry-transform|file|comp-op|image-filters)$/;

/** A picture in a sprite sheet: the symbol of a point, which is the same for all features. */
export interface MapLibrePicture {
  /** Equal names are equal pictures. */
  name: string;
  symbolizer: Symbolizer;
}

/** Reads the settings of a symbolizer, and notes those that nothing has read. */
export class SettingsReader {
  readonly #symbolizer: Symbolizer;
  readonly #columns: MapLibreColumns;
  readonly #read = new Set<string>();
  readonly #leftOut: string[] = [];

  constructor(symbolizer: Symbolizer, columns: MapLibreColumns) {
    this.#symbolizer = symbolizer;
    this.#columns = columns;
  }

  #attribute(name: string): Attribute | undefined {
    this.#read.add(name);
    const attribute = this.#symbolizer.settings.get(name)?.attribute;
    return attribute?.form === 'omitted' || attribute?.form === 'default' ? undefined : attribute;
  }

  /** Notes a difference that a property of the symbolizer, set or not, makes. */
  leaveOut(name: string): void {
    this.#leftOut.push(name);
  }

  has(name: string): boolean {
    return this.#attribute(name) !== undefined;
  }

  /** A number or a colour, which may depend on the data. Throws `Inexpressible`. */
  value<T extends string | number>(name: string, initial: T): MapLibreExpression {
    const attribute = this.#attribute(name);
    if (attribute === undefined) return initial;
    if (attribute.expression) return toMapLibre(attribute.expression, this.#columns);
    return attribute.number ?? attribute.text;
  }

  /** A number that does not depend on the data. Throws `Inexpressible`. */
  constant(name: string, initial: number): number {
    const attribute = this.#attribute(name);
    if (attribute === undefined) return initial;
    if (attribute.number === undefined) throw new Inexpressible(`${name} that depends on the data`);
    return attribute.number;
  }

  /** A keyword that does not depend on the data. Throws `Inexpressible`. */
  keyword(name: string, initial: string): string {
    const attribute = this.#attribute(name);
    if (attribute?.columns.length) throw new Inexpressible(`${name} that depends on the data`);
    return attribute?.text ?? initial;
  }

  /** The picture that an icon and these other settings make. Throws `Inexpressible` where they depend on the data. */
  picture(file: string, others: readonly string[]): MapLibrePicture {
    const { name, settings } = this.#symbolizer;
    const own = [file, ...others].flatMap((one) => {
      const setting = settings.get(one);
      if (!setting) return [];
      this.#read.add(one);
      if (setting.attribute.columns.length) throw new Inexpressible(`${one} that depends on the data`);
      return [[one, setting] as const];
    });
    const text = JSON.stringify(own.map(([one, { attribute }]) => [one, attribute.form, attribute.text]));
    const icon = settings.get(file)?.attribute.icon ?? file;
    return { name: `${icon}:${sha256(text).slice(0, 12)}`, symbolizer: { name, settings: new Map(own) } };
  }

  numbers(name: string): number[] | undefined {
    return this.#attribute(name)?.text.split(',').map(Number);
  }

  faces(name: string): readonly string[] | undefined {
    return this.#attribute(name)?.faces;
  }

  /** The text of a label. Throws `Inexpressible`. */
  label(name: string): MapLibreExpression {
    const expression = this.#attribute(name)?.expression;
    if (!expression) throw new Inexpressible('labels without a text');
    return toMapLibreText(expression, this.#columns);
  }

  /** The properties that nothing has read and that change the picture a little. Throws `Inexpressible` for others. */
  left(): string[] {
    const left = [...this.#symbolizer.settings].filter(
      ([name, { attribute }]) =>
        !this.#read.has(name) &&
        !unseen.test(name) &&
        attribute.form !== 'default' &&
        attribute.form !== 'omitted',
    );
    const found = left.filter(
      ([name, { attribute }]) => !(name.endsWith('-comp-op') && attribute.text === 'src-over'),
    );
    for (const [name] of found) if (decisive.test(name)) throw new Inexpressible(name);
    return [...this.#leftOut, ...found.map(([name]) => name)];
  }
}
