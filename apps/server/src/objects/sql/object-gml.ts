import type { Column, Output } from '@cartulary/columns';
import { type Sql, sql } from '@cartulary/sql';
import { decimals, inCrs, objectGeom, objectId, returnedValue } from './values.js';

/*
 * The one writer of an object as GML. As with JSON, the database writes the text and the service passes it on.
 */

/** How objects are written as members of a collection of features. */
export interface GmlOutput {
  /** The older form is that of GetFeatureInfo: programs that read its answers know no other one. */
  version: '2.1' | '3.2';
  /** The qualified name of the feature, which is a name of XML. */
  feature: string;
  /** What stands before the number in the id of a feature. */
  idPrefix: string;
  /** The qualified name of a property. */
  nameOf(code: string): string;
  /** The name of the coordinate system. */
  srsName: string;
  /** Whether single geometries are written as multiple ones of one part. */
  isMulti?: boolean;
  /** Members are values of the only property, or ids without one, and have no feature. */
  isValue?: boolean;
}

/** Text of an answer that is part of no value. */
const fixed = (text: string): Sql => sql`${text}::text`;

/** The text expressions of an object of the table `t`, one after the other. */
export function gmlTexts(output: Output, gml: GmlOutput): Sql[] {
  const values = output.columns.map((column) => element(gml.nameOf(column.code), xmlText(column, output)));
  if (output.geometry) values.push(element(gml.nameOf('geom'), geometryGml(output.geometry, gml)));
  if (gml.isValue) {
    const content = values[0] ?? sql`${gml.idPrefix}::text || ${objectId}`;
    return [sql`coalesce('<wfs:member>' || nullif(concat(${content}), '') || '</wfs:member>', '')`];
  }
  const [member, id] =
    gml.version === '2.1' ? (['gml:featureMember', 'fid'] as const) : (['wfs:member', 'gml:id'] as const);
  return [
    fixed(`<${member}><${gml.feature} ${id}="${gml.idPrefix}`),
    objectId,
    sql`'">'`,
    ...values,
    fixed(`</${gml.feature}></${member}>\n`),
  ];
}

/** An element with a content, '' without one. */
const element = (name: string, content: Sql): Sql =>
  sql`coalesce(${`<${name}>`}::text || ${content} || ${`</${name}>`}::text, '')`;

/** Characters that XML does not have, even escaped. */
const forbidden = Array.from({ length: 32 }, (_, code) => code)
  .filter((code) => code && code !== 9 && code !== 10 && code !== 13)
  .concat(0xfffe, 0xffff)
  .map((code) => String.fromCharCode(code))
  .join('');

/** Matches what is escaped or left out. */
const special = `[&<>${forbidden}]`;

/** A value as the content of an element; numbers without an end have none. */
function xmlText(column: Column, output: Output): Sql {
  const value = returnedValue(column, output);
  if (column.type === 'number')
    return sql`case when abs((${value})::double precision) < 'Infinity' then (${value})::text end`;
  if (column.type === 'bool') return sql`case when ${value} then 'true' when not ${value} then 'false' end`;
  if (column.type === 'datetime') return value;
  // Most texts have nothing to escape, and looking is several times as fast as replacing.
  const whole = sql`(${value})::text`;
  return sql`case when ${whole} ~ ${special}::text
    then replace(replace(replace(translate(${whole}, ${forbidden}::text, ''), '&', '&amp;'), '<', '&lt;'), '>', '&gt;') else ${whole} end`;
}

/** Aggregates of GML, with the element of their members, by the type of a geometry. */
const aggregates = {
  MULTIPOINT: ['MultiPoint', 'pointMember'],
  MULTILINESTRING: ['MultiCurve', 'curveMember'],
  MULTIPOLYGON: ['MultiSurface', 'surfaceMember'],
  GEOMETRYCOLLECTION: ['MultiGeometry', 'geometryMember'],
} as const;

/** ST_AsGML: LineString instead of Curve, and the dimension of positions only where they have heights. */
const options = { flat: 6, withHeights: 4 };

function geometryGml(
  { sr, crs }: NonNullable<Output['geometry']>,
  { version, srsName, idPrefix, isMulti }: GmlOutput,
): Sql {
  const system = crs ?? { srid: Number(sr), isNorthFirst: false, isDegrees: sr === '4326' };
  const shape = inCrs(objectGeom, system);
  const id = sql`(${`${idPrefix}`}::text || ${objectId} || '.geom')`;
  const digits = Math.min(decimals[system.isDegrees ? '4326' : '3857'], 15);
  if (version === '2.1')
    return sql`regexp_replace(ST_AsGML(2, ST_SetSRID(${shape}, 0), ${digits}::integer, 0, 'gml'),
      '^<gml:[A-Za-z]+', ${`\\& srsName="${srsName}"`}::text)`;
  // Without a system of its own the text has no srsName, which stands at the outermost element.
  const text = (part: Sql, name: Sql): Sql =>
    sql`ST_AsGML(3, ST_SetSRID(${part}, 0), ${digits}::integer,
      case when ST_NDims(${objectGeom}) > 2 then ${options.withHeights}::integer else ${options.flat}::integer end, 'gml', ${name})`;
  const single = sql`replace(${text(shape, id)}, ' gml:id=', ${` srsName="${srsName}" gml:id=`}::text)`;
  const aggregate = ([name, member]: readonly [string, string]): Sql => sql`(
    select ${`<gml:${name} srsName="${srsName}" gml:id="`}::text || ${id} || '">' || string_agg(
        ${`<gml:${member}>`}::text || ${text(sql`part.geom`, sql`${id} || '.' || array_to_string(part.path, '.')`)} || ${`</gml:${member}>`}::text,
        '' order by part.path) || ${`</gml:${name}>`}::text
    from ST_Dump(${shape}) part)`;
  const ofType = (type: keyof typeof aggregates): Sql => aggregate(aggregates[type]);
  return sql`case geometrytype(${objectGeom})
    when 'POINT' then ${isMulti ? ofType('MULTIPOINT') : single}
    when 'LINESTRING' then ${isMulti ? ofType('MULTILINESTRING') : single}
    when 'POLYGON' then ${isMulti ? ofType('MULTIPOLYGON') : single}
    when 'MULTIPOINT' then ${ofType('MULTIPOINT')}
    when 'MULTILINESTRING' then ${ofType('MULTILINESTRING')}
    when 'MULTIPOLYGON' then ${ofType('MULTIPOLYGON')}
    else ${ofType('GEOMETRYCOLLECTION')} end`;
}
