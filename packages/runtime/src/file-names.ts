/** Most characters (code points) of a name. */
const longest = 255;

/**
 * A file's name as it is kept: the last part of a path, without control characters and marks that turn the direction
 * of writing (they make `gpj.exe` look like `exe.jpg`), in the composed form of Unicode.
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

/** Cut to what may be kept; the extension stays. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= longest) return name;
  const extension = /\.[^.]{1,20}$/.exec(name)?.[0] ?? '';
  return characters.slice(0, longest - [...extension].length).join('') + extension;
}

/** `Content-Disposition` (RFC 6266) with the name in ASCII for old programs and as it is (RFC 8187) for all others. */
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
