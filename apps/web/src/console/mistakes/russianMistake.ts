import { translator } from '../notes/translator.js';
import { mistakes } from './mistakes.ru.js';

const templates = Object.fromEntries(Object.keys(mistakes).map((template) => [template, template]));

/** A mistake of a style or a query in Russian; undefined if it is not of the table. */
export const translatedMistake = translator(templates, mistakes);
