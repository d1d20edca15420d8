import { type NoteKey, type NoteValues, notePlaceholder } from '@cartulary/errors/notes';

type ReadValues<Key extends NoteKey> = {
  [Name in keyof NoteValues<Key>]: NoteValues<Key>[Name] extends number ? number : string;
};

/** The notes of imports in another language: templates with `{name}`, or functions of the values where words depend on them. */
export type NoteWordings = {
  readonly [Key in NoteKey]: string | ((values: ReadValues<Key>) => string);
};

type Values = Record<string, string | number>;

interface Pattern {
  key: string;
  form: RegExp;
  /** The placeholders, in the order of the groups of `form`. */
  places: readonly { kind: string; name: string }[];
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function patternOf(key: string, template: string): Pattern {
  const places = [...template.matchAll(notePlaceholder)].map(([, kind = '', name = '']) => ({ kind, name }));
  const fixed = template.replace(notePlaceholder, '\0').split('\0').map(literally);
  const groups = places.map(({ kind }) => (kind === '#' ? '(-?\\d+)' : '(.*?)'));
  return {
    key,
    form: new RegExp(`^${fixed.map((part, i) => part + (groups[i] ?? '')).join('')}$`, 's'),
    places,
  };
}

const fixedLength = (template: string): number => template.replace(notePlaceholder, '').length;

/**
 * Texts within texts: "Feature 3 (line 4): name: takes a number, not 'x'". Names of a file may look like texts, and each more
 * would double the ways to read them.
 */
const deepest = 5;

/**
 * A function that puts the English texts of `templates` into the words of `wordings`, by their keys. It gives undefined for a
 * text that is not of the templates, or that holds one that must be and is not.
 */
export function translator(
  templates: Readonly<Record<string, string>>,
  wordings: Readonly<Record<string, unknown>>,
): (text: string) => string | undefined {
  // The most specific first: those with the longest fixed text.
  const patterns = Object.entries(templates)
    .sort(([, a], [, b]) => fixedLength(b) - fixedLength(a))
    .map(([key, template]) => patternOf(key, template));
  const translate = (text: string, depth: number): string | undefined => {
    if (depth > deepest) return undefined;
    for (const { key, form, places } of patterns) {
      const match = form.exec(text);
      const values = match && readValues(places, match.slice(1), (part) => translate(part, depth + 1));
      if (!values) continue;
      const wording = wordings[key] as string | ((values: Values) => string);
      return typeof wording === 'function'
        ? wording(values)
        : wording.replace(notePlaceholder, (_, _kind: string, name: string) => String(values[name]));
    }
    return undefined;
  };
  return (text) => translate(text, 1);
}

/** The values of a text; undefined if one that must be of the templates itself is none. */
function readValues(
  places: Pattern['places'],
  found: readonly string[],
  translate: (text: string) => string | undefined,
): Values | undefined {
  const values: Values = {};
  for (const [i, { kind, name }] of places.entries()) {
    const text = found[i]!;
    const inner = kind === '=' || kind === '?' ? translate(text) : undefined;
    if (kind === '=' && inner === undefined) return undefined;
    values[name] = kind === '#' ? Number(text) : (inner ?? text);
  }
  return values;
}
