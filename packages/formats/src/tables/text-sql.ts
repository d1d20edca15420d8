import { zonePattern } from '@cartulary/columns';
import { literal, type Sql, sql } from '@cartulary/sql';
import type { DateOrder } from './dates.js';
import type { TextForm } from './text-values.js';

/*
 * The SQL equivalent of `convertText`, for columns whose type is known only after all texts were read. All texts were
 * checked, so no conversion can fail.
 */

/** The value of a staged text. `json` is the staged value, `text` the same as text; typed cells may be numbers or booleans. */
export function stagedTextSql({ json, text }: { json: Sql; text: Sql }, form: TextForm): Sql {
  switch (form.type) {
    case 'number': {
      const digits = sql`regexp_replace(${text}, '[^0-9eE.,+-]', '', 'g')`;
      const plain =
        form.decimal === '.'
          ? sql`replace(${digits}, ',', '')`
          : sql`replace(replace(${digits}, '.', ''), ',', '.')`;
      return sql`case when jsonb_typeof(${json}) = 'string' then ${plain} else ${text} end::double precision`;
    }
    case 'bool':
      return sql`lower(btrim(${text}, ${blanks})) in ('true', 'yes', 'да', 'истина')`;
    case 'datetime':
      return datetimeSql(sql`btrim(${text}, ${blanks})`, form.order);
  }
}

const blanks = literal(' \t');

function datetimeSql(text: Sql, order: DateOrder): Sql {
  const parts = literal(order === 'day' ? '\\3-\\2-\\1 ' : '\\3-\\1-\\2 ');
  const written = sql`regexp_replace(${text}, ${literal('^(\\d{1,2})[./-](\\d{1,2})[./-](\\d{4})[,T]? ?')}, ${parts})`;
  const yearFirst = sql`regexp_replace(${written}, ${literal('^(\\d{4})[./](\\d{1,2})[./](\\d{1,2})[,T]? ?')}, ${literal('\\1-\\2-\\3 ')})`;
  const iso = sql`replace(${yearFirst}, ',', '.')`;
  return sql`(${iso} || case when ${iso} ~ ${literal(zonePattern)} then '' else ' UTC' end)::timestamptz`;
}
