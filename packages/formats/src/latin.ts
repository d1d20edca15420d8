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

/** A letter in Latin letters, without diacritics. Signs and other scripts stay as they are. */
export function latinOf(letter: string): string {
  const plain = letter.normalize('NFKD').replace(/\p{M}|['’ʼ]/gu, '');
  return spelled[letter.toLowerCase()] ?? spelled[plain.toLowerCase()] ?? plain;
}
