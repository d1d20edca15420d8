import { datetimePattern } from '../layers/types.js';

const datetime = new RegExp(datetimePattern);

/** Whether a text is a date, or a date with time, in ISO 8601 and nothing else. */
export const isDatetime = (text: string): boolean =>
  text.charCodeAt(4) === 0x2d && text.trim() === text && datetime.test(text);
