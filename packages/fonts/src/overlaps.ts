/** By these bits a glyph says that its contours overlap: in the flags of its first point, or of its first part. */
const ofPoint = 0x40;
const ofPart = 0x0400;

/**
 * Clears the overlap flags of a TrueType font's glyphs; everything else stays. Static instances of variable fonts set
 * the flag on every glyph. FreeType then draws 16 times the pixels, to be exact where contours overlap.
 */
export function withoutOverlaps(font: Buffer): Buffer {
  const cleared = Buffer.from(font);
  for (const glyph of glyphsOf(font)) {
    const contours = font.readInt16BE(glyph);
    // After the number of contours and the box.
    const start = glyph + 10;
    if (contours < 0) cleared.writeUInt16BE(font.readUInt16BE(start) & ~ofPart, start);
    if (contours <= 0) continue;
    const instructions = start + 2 * contours;
    const points = instructions + 2 + font.readUInt16BE(instructions);
    cleared.writeUInt8(font.readUInt8(points) & ~ofPoint, points);
  }
  return cleared;
}

/** Offsets of the glyphs with outlines; none for fonts with other outlines than TrueType. */
function* glyphsOf(font: Buffer): Generator<number> {
  const tables = tablesOf(font);
  const [head, maxp, loca, glyf] = ['head', 'maxp', 'loca', 'glyf'].map((tag) => tables.get(tag));
  if (head === undefined || maxp === undefined || loca === undefined || glyf === undefined) return;
  const isLong = font.readInt16BE(head + 50) === 1;
  const count = font.readUInt16BE(maxp + 4);
  const startOf = (glyph: number): number =>
    glyf + (isLong ? font.readUInt32BE(loca + 4 * glyph) : 2 * font.readUInt16BE(loca + 2 * glyph));
  for (let i = 0; i < count; i++) if (startOf(i) < startOf(i + 1)) yield startOf(i);
}

/** Offsets of the tables by tag. */
function tablesOf(font: Buffer): Map<string, number> {
  const entries = Array.from({ length: font.readUInt16BE(4) }, (_, i) => 12 + 16 * i);
  return new Map(
    entries.map((entry) => [font.toString('latin1', entry, entry + 4), font.readUInt32BE(entry + 8)]),
  );
}
