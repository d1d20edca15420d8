const maxCodePoints = 255;

/**
 * Name under which a file is stored: the last part of its path, in the composed form of Unicode, without control characters and
 * bidirectional marks (they make `gpj.exe` look like `exe.jpg`).
 */
export function cleanName(given: string): string {
  const name = given
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, '')
    .trim();
  return shortened(name) || 'file';
}

/** Truncates a name; its extension stays. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= maxCodePoints) return name;
  const extension = /\.[^.]{1,20}$/.exec(name)?.[0] ?? '';
  return characters.slice(0, maxCodePoints - [...extension].length).join('') + extension;
}

/** `Content-Disposition` (RFC 6266) with the name in ASCII for old clients and in UTF-8 (RFC 8187). */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return plain === name
    ? `${kind}; filename="${name}"`
    : `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`;
}
