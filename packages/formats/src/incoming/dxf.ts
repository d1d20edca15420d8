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
    if (/\n\s*0\s*\n\s*EOF\s*$/.test(text)) return;
  } finally {
    await file.close();
  }
  throw new ServiceError('import_failed', noteOf('dxfCutOff', { name: name.slice(0, 100) }));
}

/** Bytes of a drawing that are read at once, in whole lines. */
const portion = 1024 * 1024;

/** Characters that a drawing names in ASCII (DXF Reference, "Control codes"); the first two forms are not such a name. */
const escapes = /%%%|\\\\|%%(?=[dDpPcC])|\\(?=U\+[0-9a-fA-F]{4})/g;

/**
 * Marks `%%d`, `%%p`, `%%c` and `\U+2205` in place, so that GDAL passes them on. GDAL makes UTF-8 of them, while the other bytes
 * of the text keep their code page; no encoding can read this mixture.
 */
export async function protectEscapes(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const buffer = Buffer.alloc(portion);
    for (let at = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, portion, at);
      if (!bytesRead) return;
      const isLast = bytesRead < portion;
      const size = (isLast ? 0 : buffer.lastIndexOf(0x0a, bytesRead - 1) + 1) || bytesRead;
      const text = buffer.toString('latin1', 0, size);
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
