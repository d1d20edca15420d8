import type { Column } from '@cartulary/columns';
import type { Queryable } from '@cartulary/database';
import { badRequest, type ServiceError } from '@cartulary/errors';
import type { Filter } from '../../objects/store.js';
import { placedBox } from '../common/boxes.js';
import { comparedShape, findNamedCrs, type NamedCrs } from '../common/crs.js';
import { elementIn, type XmlElement } from '../common/xml-tree.js';
import { isGmlGeometry, numbersIn, readGml } from './gml-geometry.js';
import { codeIn, isIdPath, objectIdOf } from './names.js';

/*
 * Filter Encoding 2.0 (OGC 09-026r2), and 1.1 where it differs in names alone, as CQL2-JSON: so a filter means the same in
 * all services.
 */

/** What a filter is read with. */
export interface FesContext {
  db: Queryable;
  layer: { code: string; columns: readonly Column[] };
  /** The system of geometries without one of their own. */
  srsName: string | undefined;
  /** Whether coordinates have x before y in every system. */
  isEastFirst?: boolean;
  /** Geometries that the database has placed so far: each is a statement of its own. */
  placed?: number;
  /** Takes the conditions, beside the filter, of boxes that have no outline in longitude and latitude; absent: such boxes are refused. */
  exact?: Filter[];
}

/** Most geometries of a filter in other systems than longitude and latitude. */
const mostPlaced = 100;

type Term = unknown;

const wrong = (why: string): ServiceError =>
  badRequest(`filter: ${why}`, { parameters: ['filter'], exception: 'OperationParsingFailed' });

/** The CQL2-JSON of an element `Filter`. Throws 400 for what is not understood. */
export async function cqlOfFes(filter: XmlElement, given: FesContext): Promise<Term> {
  const context = { ...given };
  if (filter.name !== 'Filter') throw wrong(`'${filter.name.slice(0, 50)}' is no Filter`);
  if (!filter.children.length) throw wrong('it is empty');
  const ids = filter.children.filter(({ name }) => isIdElement(name));
  if (ids.length && ids.length < filter.children.length)
    throw wrong('it has either resource ids or one condition');
  if (ids.length)
    return among(
      ids.map(({ attributes }) => attributes.rid ?? attributes.fid ?? attributes.id ?? ''),
      context,
    );
  if (filter.children.length > 1) throw wrong('it has more than one condition');
  return conditionOf(filter.children[0]!, context, true);
}

const isIdElement = (name: string): boolean => /^(ResourceId|FeatureId|GmlObjectId)$/.test(name);

/** The features with these ids of resources; those of other layers match nothing. */
export function among(resources: readonly string[], { layer }: Pick<FesContext, 'layer'>): Term {
  const ids = resources.map((text) => objectIdOf(text, layer.code)).filter((id) => id !== undefined);
  return ids.length ? { op: 'in', args: [{ property: 'svc_id' }, ids] } : false;
}

/** That a column has a value. */
export const hasValue = (code: string): Term => ({
  op: 'not',
  args: [{ op: 'isNull', args: [{ property: code }] }],
});

const comparisons: Readonly<Record<string, string>> = {
  PropertyIsEqualTo: '=',
  PropertyIsNotEqualTo: '<>',
  PropertyIsLessThan: '<',
  PropertyIsGreaterThan: '>',
  PropertyIsLessThanOrEqualTo: '<=',
  PropertyIsGreaterThanOrEqualTo: '>=',
};

const spatial: Readonly<Record<string, string>> = {
  Equals: 's_equals',
  Disjoint: 's_disjoint',
  Touches: 's_touches',
  Within: 's_within',
  Overlaps: 's_overlaps',
  Crosses: 's_crosses',
  Intersects: 's_intersects',
  Contains: 's_contains',
};

const temporal: Readonly<Record<string, string>> = {
  After: 't_after',
  Before: 't_before',
  During: 't_during',
  TEquals: 't_equals',
  TContains: 't_contains',
  TOverlaps: 't_overlaps',
  OverlappedBy: 't_overlappedBy',
  Begins: 't_starts',
  BegunBy: 't_startedBy',
  Ends: 't_finishes',
  EndedBy: 't_finishedBy',
  Meets: 't_meets',
  MetBy: 't_metBy',
  AnyInteracts: 't_intersects',
};

/** The names of the operators, for the capabilities. */
export const operatorNames = {
  comparison: [...Object.keys(comparisons), 'PropertyIsLike', 'PropertyIsNull', 'PropertyIsBetween'],
  spatial: ['BBOX', ...Object.keys(spatial), 'DWithin', 'Beyond'],
  temporal: Object.keys(temporal),
} as const;

/** `isDemanded`: no feature without this condition meets the filter. */
async function conditionOf(element: XmlElement, context: FesContext, isDemanded = false): Promise<Term> {
  const { name, children } = element;
  if (name === 'And') return combined('and', children, (child) => conditionOf(child, context, isDemanded));
  if (name === 'Or') return combined('or', children, (child) => conditionOf(child, context));
  if (name === 'Not') return { op: 'not', args: [await conditionOf(only(element), context)] };
  if (Object.hasOwn(comparisons, name)) return comparisonOf(comparisons[name]!, element, context);
  if (name === 'PropertyIsLike') return likeOf(element, context);
  if (name === 'PropertyIsNull' || name === 'PropertyIsNil')
    return { op: 'isNull', args: [{ property: propertyIn(only(element)) }] };
  if (name === 'PropertyIsBetween') return betweenOf(element, context);
  if (isIdElement(name))
    return among([element.attributes.rid ?? element.attributes.fid ?? element.attributes.id ?? ''], context);
  if (name === 'BBOX') return boxOf(element, context, isDemanded);
  if (Object.hasOwn(spatial, name)) return { op: spatial[name], args: await spatialArgs(element, context) };
  if (name === 'DWithin' || name === 'Beyond') return distanceOf(element, context);
  if (Object.hasOwn(temporal, name)) return temporalOf(temporal[name]!, element);
  throw wrong(`the operator '${name.slice(0, 50)}' is not taken`);
}

/** One operand needs no operator, although the schema demands two. */
async function combined(
  op: 'and' | 'or',
  children: readonly XmlElement[],
  read: (child: XmlElement) => Promise<Term>,
): Promise<Term> {
  const args: Term[] = [];
  for (const child of children) args.push(await read(child));
  if (!args.length) throw wrong(`${op} has no operands`);
  return { op, args };
}

function only({ name, children }: XmlElement): XmlElement {
  if (children.length !== 1) throw wrong(`${name} has one operand`);
  return children[0]!;
}

const isReference = ({ name }: XmlElement): boolean => name === 'ValueReference' || name === 'PropertyName';

/** The code of a column that an element names, by its last step and without a prefix. */
const propertyIn = (element: XmlElement): string => {
  if (!isReference(element))
    throw wrong(`'${element.name.slice(0, 50)}' stands where a ValueReference belongs`);
  return codeIn(element.text, 'filter');
};

function comparisonOf(op: string, element: XmlElement, { layer }: FesContext): Term {
  const { children, attributes } = element;
  if (children.length !== 2) throw wrong(`${element.name} compares two values`);
  const reference = children.find(isReference);
  if (!reference) throw wrong(`${element.name} names no property`);
  if (isIdPath(reference.text)) return idOf(op, element, layer);
  const column = layer.columns.find(({ code }) => code === codeIn(reference.text, 'filter'));
  const folds = attributes.matchCase === 'false' && /^(string|text)$/.test(column?.type ?? '');
  const args = children.map((child) => {
    const value = isReference(child) ? { property: codeIn(child.text, 'filter') } : literalOf(child, column);
    return folds ? { op: 'casei', args: [value] } : value;
  });
  return { op, args };
}

/** Ids of features are equal to a text or not; they have no order. */
function idOf(op: string, { name, children }: XmlElement, layer: FesContext['layer']): Term {
  const literal = children.find((child) => !isReference(child));
  if (!literal || !/^(=|<>)$/.test(op)) throw wrong(`${name} cannot compare the ids of features`);
  const same = among([writtenIn(literal)], { layer });
  return op === '=' ? same : { op: 'not', args: [same] };
}

/** The text of a literal. */
function writtenIn({ name, text, children }: XmlElement): string {
  if (name === 'Function') throw wrong('functions are not taken');
  return name === 'Literal' && children.length === 1 ? children[0]!.text : text;
}

/** A literal in the type of the column beside it. */
function literalOf(element: XmlElement, column: Column | undefined): Term {
  const written = writtenIn(element);
  const value = written.trim();
  switch (column?.type) {
    case 'number': {
      const number = Number(value);
      if (value === '' || !Number.isFinite(number)) throw wrong(`'${value.slice(0, 50)}' is no number`);
      return number;
    }
    case 'bool':
      if (!/^(true|false|1|0)$/i.test(value))
        throw wrong(`'${value.slice(0, 50)}' is neither true nor false`);
      return /^(true|1)$/i.test(value);
    case 'datetime':
      return { timestamp: value };
    default:
      return written;
  }
}

function likeOf(element: XmlElement, { layer }: FesContext): Term {
  const { children, attributes } = element;
  const [reference, literal] = children;
  if (children.length !== 2 || !literal) throw wrong('PropertyIsLike compares a property with a pattern');
  const property = propertyIn(reference!);
  const { wildCard = '*', singleChar = '.', matchCase } = attributes;
  const escapeSign = attributes.escapeChar ?? attributes.escape ?? '\\';
  let pattern = '';
  let isEscaped = false;
  for (const character of literal.text) {
    if (!isEscaped && character === escapeSign) isEscaped = true;
    else {
      if (!isEscaped && character === wildCard) pattern += '%';
      else if (!isEscaped && character === singleChar) pattern += '_';
      else pattern += /[%_\\]/.test(character) ? `\\${character}` : character;
      isEscaped = false;
    }
  }
  const args = [{ property }, pattern];
  if (!layer.columns.some(({ code }) => code === property)) return { op: 'like', args };
  return {
    op: 'like',
    args: matchCase === 'false' ? args.map((arg) => ({ op: 'casei', args: [arg] })) : args,
  };
}

function betweenOf(element: XmlElement, { layer }: FesContext): Term {
  const reference = element.children.find(isReference);
  const limits = ['LowerBoundary', 'UpperBoundary'].map((name) => elementIn(element, name)?.children[0]);
  if (!reference || !limits[0] || !limits[1])
    throw wrong('PropertyIsBetween has a ValueReference, a LowerBoundary and an UpperBoundary');
  const property = codeIn(reference.text, 'filter');
  const column = layer.columns.find(({ code }) => code === property);
  return { op: 'between', args: [{ property }, ...limits.map((limit) => literalOf(limit!, column))] };
}

/** The property of a spatial operator; the geometry of the layer where it names none. */
function placeOf(element: XmlElement): Term {
  const reference = element.children.find(isReference);
  return { property: reference ? codeIn(reference.text, 'filter') : 'geom' };
}

async function boxOf(element: XmlElement, context: FesContext, isDemanded: boolean): Promise<Term> {
  const envelope = boxIn(element);
  const shape = envelope ? undefined : element.children.find(isGmlGeometry);
  if (shape) return { op: 's_intersects', args: [placeOf(element), await shapeOf(shape, context)] };
  if (!envelope) throw wrong('BBOX has an Envelope');
  const placed = await envelopeOf(envelope, context);
  if ('exact' in placed && placed.exact) {
    if (!isDemanded || !context.exact) throw withoutOutline();
    context.exact.push(placed.exact);
  }
  return meets(placeOf(element), placed);
}

/** What lies in the box around such a box is more than the box has: it must not be deleted, nor left out. */
const withoutOutline = (): ServiceError =>
  wrong(
    'a box around a pole, across 180 degrees, or beyond the reach of its system is taken by BBOX alone, or in And, of a GetFeature',
  );

type Placed = Awaited<ReturnType<typeof placedBox>>;

/** The property meets a box. */
export function meets(property: Term, placed: Placed): Term {
  if ('shape' in placed) return { op: 's_intersects', args: [property, placed.shape] };
  const parts = placed.boxes.map(({ west, south, east, north }) => ({
    op: 's_intersects',
    args: [property, { bbox: [west, south, east, north] }],
  }));
  return parts.length === 1 ? parts[0] : { op: 'or', args: parts };
}

/** The box of an operator: an Envelope, or a Box of GML 2. */
const boxIn = (element: XmlElement): XmlElement | undefined =>
  elementIn(element, 'Envelope') ?? elementIn(element, 'Box');

/** The system of a geometry. Throws 400 for too many geometries that the database must place. */
async function systemOf(own: string | undefined, context: FesContext): Promise<NamedCrs> {
  const { db, srsName, isEastFirst, placed = 0 } = context;
  if (placed >= mostPlaced)
    throw wrong(`more than ${mostPlaced} geometries in other systems than longitude and latitude`);
  const crs = await findNamedCrs(db, own ?? srsName, { parameter: 'srsName', isEastFirst });
  if (crs.srid !== 4326) context.placed = placed + 1;
  return crs;
}

async function envelopeOf(envelope: XmlElement, context: FesContext): Promise<Placed> {
  const corners =
    envelope.name === 'Box'
      ? numbersIn(elementIn(envelope, 'coordinates')?.text ?? '')
      : ['lowerCorner', 'upperCorner'].flatMap((name) =>
          numbersIn(elementIn(envelope, name)?.text ?? '').slice(0, 2),
        );
  if (corners.length !== 4)
    throw wrong('an Envelope has a lowerCorner and an upperCorner, a Box has coordinates of two corners');
  const crs = await systemOf(envelope.attributes.srsName, context);
  return placedBox(context.db, corners as [number, number, number, number], crs, 'filter');
}

async function spatialArgs(element: XmlElement, context: FesContext): Promise<Term[]> {
  const envelope = boxIn(element);
  if (envelope) {
    const placed = await envelopeOf(envelope, context);
    if ('shape' in placed) return [placeOf(element), placed.shape];
    if (placed.exact) throw withoutOutline();
    // Two boxes meet at 180 degrees: the first begins in the west, the last ends in the east.
    const { west, south, north } = placed.boxes[0]!;
    return [placeOf(element), { bbox: [west, south, placed.boxes.at(-1)!.east, north] }];
  }
  const shape = element.children.find(isGmlGeometry);
  if (!shape) throw wrong(`${element.name} has a geometry of GML`);
  return [placeOf(element), await shapeOf(shape, context)];
}

/** A geometry in longitude and latitude. */
async function shapeOf(element: XmlElement, context: FesContext): Promise<unknown> {
  const gml = readGml(element);
  const crs = await systemOf(gml.srsName, context);
  return comparedShape(context.db, gml.geometry, crs, 'filter');
}

const metresIn: ReadonlyMap<string, number> = new Map([
  ...['m', 'metre', 'meter', 'meters', 'metres', '9001'].map((name) => [name, 1] as const),
  ['km', 1_000],
]);

async function distanceOf(element: XmlElement, context: FesContext): Promise<Term> {
  const distance = elementIn(element, 'Distance');
  const { uom, units, unit } = distance?.attributes ?? {};
  const name = (uom ?? units ?? unit ?? 'm').split(/[:/#]/).at(-1)!;
  const factor = metresIn.get(name.toLowerCase());
  if (!distance || factor === undefined)
    throw wrong(`${element.name} has a Distance in m or km, not in '${name.slice(0, 50)}'`);
  const metres = Number(distance.text) * factor;
  const near = { op: 's_dwithin', args: [...(await spatialArgs(element, context)), metres] };
  return element.name === 'DWithin' ? near : { op: 'not', args: [near] };
}

function temporalOf(op: string, element: XmlElement): Term {
  const reference = element.children.find(isReference);
  const time = element.children.find((child) => !isReference(child));
  if (!reference || !time) throw wrong(`${element.name} compares a property with a time`);
  const sides = ['begin', 'end'].map((side) => elementIn(time, `${side}Position`) ?? elementIn(time, side));
  const period =
    time.name === 'TimePeriod' ? { interval: sides.map(positionIn) } : { timestamp: positionIn(time) };
  return { op, args: [{ property: codeIn(reference.text, 'filter') }, period] };
}

/** The position in time that an element contains; `..` for one that is not known. */
function positionIn(element: XmlElement | undefined): string {
  const [inner] = element?.children ?? [];
  if (inner) return positionIn(inner);
  if (element?.attributes.indeterminatePosition === 'now') return new Date().toISOString();
  return element?.text.trim() || '..';
}
