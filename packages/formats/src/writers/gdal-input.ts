import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectRow } from '@cartulary/columns';
import { ServiceError } from '@cartulary/errors';
import type { Geometry } from 'geojson';
import { hasHeight, partKindOf, takeApart } from '../geometry-parts.js';
import { wholeFile } from '../own-exports/own-archive.js';
import type { Declared } from './declared.js';
import { idField, type OutField } from './fields.js';
import { createFgbWriter, type FgbColumn, fgbHeader } from './flatgeobuf.js';
import { type LimitedFile, limitedFile } from './limited-file.js';
import { RecordWidths } from './record-widths.js';
import type { FormatTarget } from './targets.js';

/** A FlatGeobuf file from which GDAL writes one file of an export. */
export interface GdalInput {
  file: string;
  out: LimitedFile;
  rows: number;
  hasHeights: boolean;
  /** Whether a row has no geometry, which a spatial index cannot contain. */
  hasNone: boolean;
}

/** The beginning of temporary file names. Codes of layers never begin with a digit, so they cannot collide. */
export const temporaryPrefix = '0.';

interface GdalInputOptions {
  target: FormatTarget;
  /** Path of the file. */
  folder: string;
  /** The code of the layer. */
  code: string;
  limitBytes: number;
  fields: readonly OutField[];
  columns: readonly FgbColumn[];
  declared: Declared;
  /** Of the texts. */
  encoding: string;
  /** Lines of the list of whole values that are not written yet. */
  whole: string[];
}

/** Writes objects as FlatGeobuf for GDAL: one file, or one for each kind of geometry if the format requires it. */
export class GdalInputWriter {
  readonly #options: GdalInputOptions;
  readonly #inputs = new Map<string, GdalInput>();
  readonly #writer: ReturnType<typeof createFgbWriter>;
  readonly #wholeList: LimitedFile;
  /** Rows of objects without geometry that preceded the first file. */
  readonly #withoutGeometry: (readonly unknown[])[] = [];
  readonly #widths: RecordWidths | undefined;
  #writtenBytes = 0;

  constructor(options: GdalInputOptions) {
    this.#options = options;
    this.#writer = createFgbWriter(options.columns);
    const { target, columns, encoding } = options;
    this.#widths = target.record && new RecordWidths(target.record, columns, encoding);
    this.#wholeList = limitedFile(join(options.folder, wholeFile), options.limitBytes);
  }

  /** Writes all objects; returns the files by kind of geometry. Throws `too_large`. */
  async write(slices: AsyncIterable<ObjectRow[]>): Promise<ReadonlyMap<string, GdalInput>> {
    try {
      for await (const rows of slices) {
        for (const row of rows) await this.#writeObject(row);
        await this.#flushWholeList();
      }
      await this.#wholeList.end();
      await this.#writeWithoutGeometry();
      for (const { out } of this.#inputs.values()) await out.end();
      await this.#fitWidths();
      return this.#inputs;
    } finally {
      this.#wholeList.close();
      for (const { out } of this.#inputs.values()) out.close();
    }
  }

  async #writeObject(row: ObjectRow): Promise<void> {
    const { target, declared } = this.#options;
    const values = this.#valuesOf(row);
    const geometry = row.geom === null ? null : (JSON.parse(row.geom) as Geometry);
    if (!geometry && target.split) return this.#putWithoutGeometry(values);
    if (!geometry || !target.textLimit) return this.#put(await this.#inputFor('all'), geometry, values);
    const parts = takeApart(geometry, target.apart);
    const isChanged = parts.length > 1 || parts[0] !== geometry || isFlattened(geometry, target);
    if (isChanged) declared.reshaped(row.id, row.geom!);
    for (const [i, part] of parts.entries()) {
      // The first row has the id of the object, the others its negative: imported without the archive's list they become new
      // objects.
      const own = i ? values.with(0, -row.id) : values;
      await this.#put(await this.#inputFor(target.split ? partKindOf(part) : 'all'), part, own);
    }
  }

  async #putWithoutGeometry(values: readonly unknown[]): Promise<void> {
    const first = this.#inputs.values().next().value;
    if (first) await this.#put(first, null, values);
    else this.#withoutGeometry.push(values);
  }

  async #writeWithoutGeometry(): Promise<void> {
    const first = this.#inputs.values().next().value;
    const input = first ?? (await this.#inputFor(this.#options.target.split ? 'point' : 'all'));
    for (const values of this.#withoutGeometry) await this.#put(input, null, values);
  }

  async #inputFor(kind: string): Promise<GdalInput> {
    const known = this.#inputs.get(kind);
    if (known) return known;
    const { folder, code, limitBytes, columns } = this.#options;
    const file = `${temporaryPrefix}${kind}.fgb`;
    const out = limitedFile(join(folder, file), limitBytes);
    const input = { file, out, rows: 0, hasHeights: false, hasNone: false };
    this.#inputs.set(kind, input);
    await out.write(fgbHeader(code, columns));
    return input;
  }

  async #put(input: GdalInput, geometry: Geometry | null, values: readonly unknown[]): Promise<void> {
    const bytes = this.#writer.write(geometry, values);
    this.#writtenBytes += bytes.length;
    if (this.#writtenBytes > this.#options.limitBytes)
      throw new ServiceError('too_large', 'The export is larger than is allowed');
    input.rows++;
    if (!geometry) input.hasNone = true;
    else if (!input.hasHeights) input.hasHeights = hasHeight(geometry);
    await input.out.write(bytes);
  }

  /** Gives the columns widths, where records would be too long without them. */
  async #fitWidths(): Promise<void> {
    const { folder, code, target } = this.#options;
    const columns = this.#widths?.fitted(target.extension);
    if (!columns) return;
    for (const { file } of this.#inputs.values()) {
      const handle = await open(join(folder, file), 'r+');
      await handle.write(fgbHeader(code, columns), 0, null, 0).finally(() => handle.close());
    }
  }

  async #flushWholeList(): Promise<void> {
    const text = this.#options.whole.splice(0).join('');
    if (text) await this.#wholeList.write(Buffer.from(text));
  }

  #valuesOf({ id, values }: ObjectRow): unknown[] {
    const { fields, target, declared } = this.#options;
    const fitted = fields.map((field) => {
      if (field === idField) return id;
      const value = field.value(values);
      if (target.textLimit) return declared.fitted(id, field, value);
      return field.type === 'datetime' && !isKnownTime(value) ? null : value;
    });
    this.#widths?.look(fitted);
    return fitted;
  }
}

/** Whether GDAL can read a value as a time: a query may give years of five digits. */
const isKnownTime = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-/.test(value);

/** Whether a geometry loses its heights, or has only heights of 0, which the format does not distinguish from none. */
const isFlattened = (geometry: Geometry, { heights }: FormatTarget): boolean =>
  hasHeight(geometry) && (!heights || !hasHeight(geometry, (height) => height !== 0));
