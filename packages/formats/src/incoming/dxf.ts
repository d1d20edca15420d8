import { open } from 'node:fs/promises';
import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { escapeMark } from '../readers/drawing-escapes.js';

/** Checks that a DXF drawing ends with its last group (DXF Reference, "EOF"). GDAL reads a truncated file without an error. */
export async function demandEnd(path: string, name: string): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const length = Math.min(size, 1_024);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    // Old programs end a text file with the character SUB, or pad it with zeros.
    const text = buffer.toString('latin1').replaceAll('\0', '').replaceAll('\u001a', '');
    if (/\n[ \t]*0[ \t\r]*\n\s*EOF$/.test(text.trimEnd())) return;
  } finally {
    await file.close();
  }
  throw new ServiceError('import_failed', noteOf('dxfCutOff', { name: name.slice(0, 100) }));
}

/** Bytes of a drawing that are read at once, in whole lines. */
const portion = 1024 * 1024;

/** Characters that a drawing names in ASCII (DXF Reference, "Control codes"); the first two forms are not such a name. */
const escapes = /%%%|\\\\|%%(?=[dDpPcC])|\\(?=U\+[0-9a-fA-F]{4})/g;

/** A coordinate, a size or an angle (DXF Reference, "Group Code Value Types", 10 to 59) with a decimal comma. */
const decimalComma = /^[ \t]*[1-5]\d[ \t]*\r?\n[ \t]*([-+]?\d*,\d+)[ \t]*\r?$/m;

/** Entities that GDAL reads, parts of them, and windows of a sheet of paper, which hold no objects. */
const read: ReadonlySet<string> = new Set(
  (
    'POINT MTEXT TEXT ATTDEF ATTRIB LINE POLYLINE VERTEX SEQEND MLINE LWPOLYLINE CIRCLE ELLIPSE ARC SPLINE 3DFACE INSERT ' +
    'DIMENSION HATCH SOLID TRACE LEADER MLEADER MULTILEADER 3DSOLID REGION BODY SURFACE EXTRUDEDSURFACE LOFTEDSURFACE ' +
    'REVOLVEDSURFACE SWEPTSURFACE PLANESURFACE VIEWPORT SECTION ENDSEC EOF'
  ).split(' '),
);

/** Counts the entities of a drawing that GDAL passes over, by their kind. */
class EntityCounter {
  readonly leftOut = new Map<string, number>();
  #section = '';
  #isSectionNext = false;
  /** A group is two lines, which may be in two portions. */
  #lastLine = '';

  /** Takes the next whole lines of the drawing. */
  take(lines: string): void {
    const text = this.#lastLine + lines;
    // Values of the codes 0 (a kind) and 2 (a name). Codes are numbers, so no value is taken for a code.
    for (const [, code, value] of text.matchAll(/^[ \t]*([02])[ \t]*\r?\n(?=[ \t]*([A-Za-z_][\w$*]*))/gm)) {
      if (code === '2') {
        if (this.#isSectionNext) this.#section = value!;
        this.#isSectionNext = false;
      } else this.#takeKind(value!);
    }
    this.#lastLine = /[^\n]*\n?$/.exec(text.slice(-1_000))![0];
  }

  #takeKind(kind: string): void {
    this.#isSectionNext = kind === 'SECTION';
    if (this.#section !== 'ENTITIES') return;
    if (kind === 'ENDSEC') this.#section = '';
    else if (!read.has(kind)) this.leftOut.set(kind, (this.leftOut.get(kind) ?? 0) + 1);
  }
}

/**
 * Marks `%%d`, `%%p`, `%%c` and `\U+2205` in place, so that GDAL passes them on. GDAL makes UTF-8 of them, while the other bytes
 * of the text keep their code page; no encoding can read this mixture. Returns the numbers of entities that GDAL passes over.
 * Throws `import_failed` for decimal commas: of `30,5` GDAL takes 30.
 */
export async function protectEscapes(path: string, name: string): Promise<ReadonlyMap<string, number>> {
  const file = await open(path, 'r+');
  try {
    const entities = new EntityCounter();
    const buffer = Buffer.alloc(portion);
    for (let at = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, portion, at);
      if (!bytesRead) return entities.leftOut;
      const isLast = bytesRead < portion;
      const size = (isLast ? 0 : buffer.lastIndexOf(0x0a, bytesRead - 1) + 1) || bytesRead;
      const text = buffer.toString('latin1', 0, size);
      entities.take(text);
      const comma = decimalComma.exec(text)?.[1];
      if (comma !== undefined) {
        const shown = `'${comma.slice(0, 50)}' is no number: save it with decimal points`;
        throw new ServiceError('import_failed', `'${name.slice(0, 100)}': ${shown}`);
      }
      const marked = text.replace(escapes, (found) =>
        found === '%%' || found === '\\' ? escapeMark.repeat(found.length) : found,
      );
      if (marked !== text) await file.write(Buffer.from(marked, 'latin1'), 0, size, at);
      at += size;
    }
  } finally {
    await file.close();
  }
}
