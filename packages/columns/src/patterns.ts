/*
 * Patterns in the common subset of JavaScript's and PostgreSQL's regular expressions: a value in a request and a stored
 * value under a type change are read by the same rules.
 */
const space = '[ \\t\\r\\n\\f\\v]*';

export const numberPattern = `^${space}[+-]?([0-9]{1,200}([.][0-9]{0,200})?|[.][0-9]{1,200})([eE][+-]?[0-9]{1,3})?${space}$`;

const date = (() => {
  const long = '(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])';
  const middle = '(0[469]|11)-(0[1-9]|[12][0-9]|30)';
  const february = '02-(0[1-9]|1[0-9]|2[0-8])';
  const leapYear = '([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)';
  return `([0-9]{4}-(${long}|${middle}|${february})|${leapYear}-02-29)`;
})();
const time = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.,][0-9]{1,9})?)?';
const zone = '([Zz]|[+-](0[0-9]|1[0-4])(:?[0-5][0-9])?)';

/** ISO 8601 with or without a zone, years 0001 to 9999 as written and in UTC. */
export const datetimePattern = `^${space}(?!0000|0001-01-01.*[+]|9999-12-31[^:]*:.*-)${date}([Tt ]${time} ?${zone}?)?${space}$`;
/** Matches a datetime that names its zone. */
export const zonePattern = `:.*([Zz]|[+-][0-9]{2}(:?[0-9]{2})?)${space}$`;

/** Range of a datetime in milliseconds since 1970: the years 0001 to 9999 in UTC. */
export const earliestMs = -62_135_596_800_000;
export const latestMs = 253_402_300_799_999;

/** The characters that the patterns accept as space. */
export const blanks = ' \t\r\n\f\v';
