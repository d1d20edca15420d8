import { type NoteKey, type NoteValues, notePlaceholder, noteTemplates } from '@cartulary/errors/notes';

type ReadValues<Key extends NoteKey> = {
  [Name in keyof NoteValues<Key>]: NoteValues<Key>[Name] extends number ? number : string;
};

/** The notes of imports in another language: templates with `{name}`, or functions of the values where words depend on them. */
export type NoteWordings = {
  readonly [Key in NoteKey]: string | ((values: ReadValues<Key>) => string);
};

type Values = Record<string, string | number>;

interface Pattern {
  key: NoteKey;
  form: RegExp;
  /** The placeholders, in the order of the groups of `form`. */
  places: readonly { kind: string; name: string }[];
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function patternOf(key: NoteKey): Pattern {
  const template: string = noteTemplates[key];
  const places = [...template.matchAll(notePlaceholder)].map(([, kind = '', name = '']) => ({ kind, name }));
  const fixed = template.split(/\{[^}]*\}/).map(literally);
  const groups = places.map(({ kind }) => (kind === '#' ? '(-?\\d+)' : '(.*?)'));
  return {
    key,
    form: new RegExp(`^${fixed.map((part, i) => part + (groups[i] ?? '')).join('')}$`, 's'),
    places,
  };
}

const fixedLength = (key: NoteKey): number => noteTemplates[key].replace(notePlaceholder, '').length;

/** The most specific first: those with the longest fixed text. */
const patterns: readonly Pattern[] = (Object.keys(noteTemplates) as NoteKey[])
  .sort((a, b) => fixedLength(b) - fixedLength(a))
  .map(patternOf);

/**
 * Notes within notes: "Feature 3 (line 4): name: takes a number, not 'x'". Names of a file may look like notes, and each more
 * would double the ways to read them.
 */
const deepest = 5;

/** An English note in other words; undefined if it, or a note within it, is not of the catalogue. */
export function translateNote(text: string, wordings: NoteWordings, depth = 1): string | undefined {
  if (depth > deepest) return undefined;
  for (const { key, form, places } of patterns) {
    const match = form.exec(text);
    const values = match && readValues(places, match.slice(1), { wordings, depth });
    if (!values) continue;
    const wording = wordings[key] as string | ((values: Values) => string);
    return typeof wording === 'function'
      ? wording(values)
      : wording.replace(notePlaceholder, (_, _kind: string, name: string) => String(values[name]));
  }
  return undefined;
}

/** The values of a note; undefined if one that must be a note itself is none. */
function readValues(
  places: Pattern['places'],
  found: readonly string[],
  { wordings, depth }: { wordings: NoteWordings; depth: number },
): Values | undefined {
  const values: Values = {};
  for (const [i, { kind, name }] of places.entries()) {
    const text = found[i]!;
    const inner = kind === '=' || kind === '?' ? translateNote(text, wordings, depth + 1) : undefined;
    if (kind === '=' && inner === undefined) return undefined;
    values[name] = kind === '#' ? Number(text) : (inner ?? text);
  }
  return values;
}
