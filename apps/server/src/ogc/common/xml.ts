import { xmlText } from '@cartulary/renderer';

/** Characters that XML 1.0 forbids even when they are escaped, and halves of characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters in question
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** A text between tags or quotes of an answer: the one function that puts texts into XML. */
export const xmlValue = (text: string): string => xmlText(text.replace(forbidden, '\ufffd'));

/** The prefix of the names of layers and columns in XML. */
export const prefix = 'map';

/** The name of a layer or a column in XML, where a name does not begin with a hyphen: it gets an underscore. No code begins with a digit. */
export const xmlName = (code: string): string => (/^_*-/.test(code) ? `_${code}` : code);
