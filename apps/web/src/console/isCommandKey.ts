type Keys = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/**
 * Whether a letter is pressed with Ctrl or Cmd. A key that gives no Latin letter, as with a Russian layout, counts by its
 * place.
 */
export function isCommandKey({ key, code, ctrlKey, metaKey, altKey }: Keys, letter: string): boolean {
  if (!(ctrlKey || metaKey) || altKey) return false;
  const isLatin = /^[a-z]$/i.test(key);
  return isLatin ? key.toLowerCase() === letter : code === `Key${letter.toUpperCase()}`;
}
