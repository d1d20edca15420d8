const cyrillic = 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя';
const latin = 'a b v g d e e zh z i y k l m n o p r s t u f kh ts ch sh shch - y - e yu ya'.split(' ');

const latinOf = (letter: string): string => {
  const place = cyrillic.indexOf(letter);
  return place < 0 ? letter : latin[place]!.replace('-', '');
};

/** Makes a code from a name: `rayony_goroda` from `Районы города`. */
export const codeFor = (name: string): string =>
  [...name.toLowerCase()]
    .map(latinOf)
    .join('')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 63);
