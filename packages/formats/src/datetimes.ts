import { datetimePattern } from '@cartulary/columns';

const datetime = new RegExp(datetimePattern);

/** Whether a text is exactly an ISO 8601 date, or a date with time. */
export const isDatetime = (text: string): boolean =>
  text.charCodeAt(4) === 0x2d && text.trim() === text && datetime.test(text);
