/** Transliterations of letters beyond ASCII. Other letters lose their diacritics or are left out. */
const spelled: Record<string, string> = Object.fromEntries(
  `а a б b в v г g ґ g ѓ g ғ g д d ђ dj е e ё e є ye ж zh з z ѕ dz и i й y і i ї yi ј j к k қ k ќ k л l љ lj м m н n ң n
  њ nj о o ө o п p р r с s т t ћ c у u ў u ү u ұ u ф f х kh һ h ц ts ч ch џ dz ш sh щ shch ъ _ ы y ь _ э e ю yu я ya ә a
  α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o
  ß ss æ ae ø o œ oe đ d ð d þ th ł l ı i ħ h ŋ ng ŧ t ĸ k`
    .split(/\s+/)
    .reduce<[string, string][]>((pairs, item, i, items) => {
      if (i % 2 === 0) pairs.push([item, items[i + 1] === '_' ? '' : items[i + 1]!]);
      return pairs;
    }, []),
);

/** Reserved codes: those of the interface, and one property name that a JavaScript object cannot hold safely. */
const reserved = new Set(['svc_id', 'geom', '__proto__']);

/** Longest code of a column. */
const longest = 44;

/**
 * Makes a code for a column of this name that differs from all taken codes: Latin letters, digits and underscore, not
 * starting with a digit, at most 44 characters. Cyrillic and Greek are transliterated, diacritics are dropped (é becomes
 * e). A name without usable characters gives `field_<n>`.
 */
export function columnCodeFor(name: string, n: number, taken: ReadonlySet<string>): string {
  const isFree = (code: string): boolean => !taken.has(code) && !reserved.has(code);
  const code = latin(name).slice(0, longest) || `field_${n}`;
  if (isFree(code)) return code;
  for (let i = 1; ; i++) {
    const numbered = `${code.slice(0, longest - 1 - String(i).length)}_${i}`;
    if (isFree(numbered)) return numbered;
  }
}

function latin(name: string): string {
  if (/^[A-Za-z_]\w{0,43}$/.test(name) && name !== '__proto__') return name;
  const letters = [...name.slice(0, 1000).normalize('NFC')].map(spell).join('');
  const code = letters.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
  return /^\d/.test(code) ? `_${code}` : code;
}

/** Drops diacritics before other characters become underscores, so that they do not divide a word. */
function spell(letter: string): string {
  const plain = letter.normalize('NFKD').replace(/\p{M}|['’ʼ]/gu, '');
  return spelled[letter.toLowerCase()] ?? spelled[plain.toLowerCase()] ?? plain;
}
