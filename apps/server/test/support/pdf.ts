import { inflateSync } from 'node:zlib';

export interface ReadPdf {
  pages: number;
  /** The text of each page as its fonts say it, in the order in which it was drawn. */
  texts: string[];
  /** Pictures, pixels. */
  images: { width: number; height: number }[];
  fonts: string[];
}

interface PdfObject {
  head: string;
  stream: Buffer | undefined;
}

/** Parses a PDF as this service writes it. Throws for other content. */
export function readPdf(bytes: Buffer): ReadPdf {
  const source = bytes.toString('latin1');
  if (!source.startsWith('%PDF-1.') || !source.trimEnd().endsWith('%%EOF'))
    throw new Error('not a whole PDF');
  const objects = new Map<number, PdfObject>();
  for (const match of source.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g))
    objects.set(Number(match[1]), toObject(match[2]!));
  const all = [...objects.values()];
  const pages = all.filter(({ head }) => /\/Type \/Page\b/.test(head));
  const images = all.filter(({ head }) => /\/Subtype \/Image/.test(head));
  const numberOf = (head: string, key: string): number => Number(new RegExp(`/${key} (\\d+)`).exec(head)![1]);
  return {
    pages: pages.length,
    texts: pages.map((page) => textOf(page, objects)),
    images: images.map(({ head }) => ({ width: numberOf(head, 'Width'), height: numberOf(head, 'Height') })),
    fonts: all.flatMap(({ head }) => /\/FontName \/(\S+)/.exec(head)?.[1] ?? []),
  };
}

function toObject(body: string): PdfObject {
  const at = body.indexOf('\nstream\n');
  if (at < 0) return { head: body, stream: undefined };
  const head = body.slice(0, at);
  const raw = Buffer.from(body.slice(at + 8, body.lastIndexOf('\nendstream')), 'latin1');
  const isFlate = /\/Filter \/FlateDecode/.test(head) && !/\/Subtype \/Image/.test(head);
  return { head, stream: isFlate ? inflateSync(raw) : raw };
}

function textOf({ head }: PdfObject, objects: ReadonlyMap<number, PdfObject>): string {
  const referred = (text: string, key: string): PdfObject =>
    objects.get(Number(new RegExp(`/${key} \\[?(\\d+) 0 R`).exec(text)![1]))!;
  const resources = referred(head, 'Resources').head;
  const fonts = new Map<string, Map<string, string>>();
  for (const [, name, id] of resources.matchAll(/\/(F\d+) (\d+) 0 R/g))
    fonts.set(
      name!,
      unicodeOf(referred(objects.get(Number(id))!.head, 'ToUnicode').stream!.toString('latin1')),
    );
  let [text, font] = ['', new Map<string, string>()];
  const content = referred(head, 'Contents').stream!.toString('latin1');
  for (const [, name, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[(<[^\]]*)\] TJ/g)) {
    if (name) font = fonts.get(name)!;
    else
      for (const [, codes] of shown!.matchAll(/<([0-9a-f]*)>/g))
        for (const code of codes!.match(/.{4}/g) ?? []) text += font.get(code) ?? '\ufffd';
  }
  return text;
}

/** Code → characters of a ToUnicode map. */
function unicodeOf(map: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, from, , list] of map.matchAll(/<([0-9a-f]{4})> <([0-9a-f]{4})> \[([^\]]*)\]/g))
    for (const [i, [, hex]] of [...list!.matchAll(/<([0-9a-f ]*)>/g)].entries()) {
      const units = (hex!.match(/[0-9a-f]{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16));
      found.set(
        (Number.parseInt(from!, 16) + i).toString(16).padStart(4, '0'),
        String.fromCharCode(...units),
      );
    }
  return found;
}
