import { type Column, valueInvalid } from '@cartulary/columns';
import type { Transaction } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { checkGeometry } from '@cartulary/geo';
import { createSlices } from '@cartulary/runtime';
import type { FastifyReply } from 'fastify';
import { mainLanguage } from '../../access/caller.js';
import { writtenLanguages } from '../../access/languages.js';
import { type Layer, ownsObjects } from '../../layers/layers.js';
import {
  deleteObjects,
  listObjects,
  type ObjectInput,
  parseFilter,
  parseListQuery,
  writeBatch,
} from '../../objects/store.js';
import { findNamedCrs, toLonLat } from '../common/crs.js';
import { owsError } from '../common/ows-exceptions.js';
import { viewableLayer } from '../common/requests.js';
import { xmlValue } from '../common/xml.js';
import { elementIn, elementsIn, type XmlElement } from '../common/xml-tree.js';
import type { Answering } from './features.js';
import { cqlOfFes } from './fes.js';
import { isGmlGeometry, readGml } from './gml-geometry.js';
import { codeIn, codeOfName, layerCodeIn, resourceIdOf } from './names.js';
import { putsEastFirst, version } from './requests.js';

/** A change that the transaction carries out; its input is read. */
type Action = { layer: Layer; place: ActionPlace } & (
  | { kind: 'insert'; inputs: ObjectInput[]; places: ActionPlace[] }
  | { kind: 'update' | 'replace'; input: ObjectInput; filter: unknown }
  | { kind: 'delete'; filter: unknown }
);

/** Where a change stands in the transaction. */
interface ActionPlace {
  /** For readers: `Insert (action 2), feature 3`. */
  name: string;
  /** The name that the caller gave the action. */
  handle: string | undefined;
}

const tooMany = (limit: number): ServiceError =>
  new ServiceError('too_large', `A transaction may change ${limit} features`, { limit });

/** Called with the code of each layer that was changed. */
export type NoteChange = (request: Answering['request'], layer: string) => void;

/** Carries out a Transaction of WFS 2.0, all or nothing, by the functions that write objects. */
export async function answerTransaction(
  answering: Answering,
  root: XmlElement,
  note: NoteChange,
): Promise<FastifyReply> {
  const { services, request, reply } = answering;
  if (!request.caller.account) throw new ServiceError('not_authenticated');
  const actions = await actionsOf(answering, root);
  const done: Done = { insert: 0, update: 0, replace: 0, delete: 0, made: [], replaced: [] };
  await services.db.for(request.owner).transaction(async (tx) => {
    const room = { left: services.config.batchLimit, most: services.config.batchLimit };
    for (const action of actions) {
      const { place, kind, layer } = action;
      const ids = await locatedAt(place, () => carryOut(answering, tx, { action, room }));
      done[kind] += ids.length;
      const results = kind === 'insert' ? done.made : kind === 'replace' ? done.replaced : [];
      for (const id of ids) results.push({ resource: resourceIdOf(layer.code, id), handle: place.handle });
    }
  });
  for (const code of new Set(actions.map(({ layer }) => layer.code))) note(request, code);
  return reply
    .type('text/xml; charset=utf-8')
    .send(`<?xml version="1.0" encoding="UTF-8"?>\n${doneXml(root, done)}`);
}

/** An error that tells which action or feature failed, unless it does so already. */
class LocatedError extends ServiceError {}

function located(error: unknown, { name, handle }: ActionPlace): unknown {
  if (!(error instanceof ServiceError) || error instanceof LocatedError) return error;
  const { code, message, data, status } = error;
  const named = handle ? { ...data, parameters: [handle] } : data;
  return new LocatedError(code, `${name}: ${message}`, named, status);
}

/** Lets an error of some work tell the action that failed. */
const locatedAt = <T>(place: ActionPlace, work: () => Promise<T>): Promise<T> =>
  work().catch((error) => Promise.reject(located(error, place)));

/** A feature with the name of the action that wrote it. */
interface Written {
  resource: string;
  handle: string | undefined;
}

interface Done extends Record<Action['kind'], number> {
  made: Written[];
  replaced: Written[];
}

/** The namespace of WFS 1.0 and 1.1. */
const olderWfs = 'http://www.opengis.net/wfs';

/** What a transaction has done, in the form of its version. GDAL names version 2 in the namespace of the older ones, and looks for ids of both forms. */
function doneXml({ attributes }: XmlElement, done: Done): string {
  const asked = attributes.version ?? version;
  const isNew = asked.startsWith('2');
  const hasOldIds = !isNew || Object.values(attributes).includes(olderWfs);
  const idXml = ({ resource }: Written): string =>
    `${isNew ? `<fes:ResourceId rid="${resource}"/>` : ''}${hasOldIds ? `<ogc:FeatureId fid="${resource}"/>` : ''}`;
  const ogc = 'xmlns:ogc="http://www.opengis.net/ogc"';
  const older = `xmlns:wfs="${olderWfs}" ${ogc}`;
  if (asked.startsWith('1.0'))
    return `<wfs:WFS_TransactionResponse ${older} version="1.0.0">
${done.made.length ? `  <wfs:InsertResult>${done.made.map(idXml).join('')}</wfs:InsertResult>\n` : ''}  <wfs:TransactionResult><wfs:Status><wfs:SUCCESS/></wfs:Status></wfs:TransactionResult>
</wfs:WFS_TransactionResponse>
`;
  const resultsXml = (kind: 'Insert' | 'Replace', features: readonly Written[]): string => {
    const items = features.map((one) => {
      const name = one.handle === undefined ? '' : ` handle="${xmlValue(one.handle)}"`;
      return `    <wfs:Feature${name}>${idXml(one)}</wfs:Feature>\n`;
    });
    return items.length ? `  <wfs:${kind}Results>\n${items.join('')}  </wfs:${kind}Results>\n` : '';
  };
  const names = isNew
    ? `xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:fes="http://www.opengis.net/fes/2.0" ${hasOldIds ? `${ogc} ` : ''}xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wfs/2.0 http://schemas.opengis.net/wfs/2.0/wfs.xsd"`
    : older;
  return `<wfs:TransactionResponse ${names} version="${isNew ? version : '1.1.0'}">
  <wfs:TransactionSummary>
    <wfs:totalInserted>${done.insert}</wfs:totalInserted>
    <wfs:totalUpdated>${done.update}</wfs:totalUpdated>
${isNew ? `    <wfs:totalReplaced>${done.replace}</wfs:totalReplaced>\n` : ''}    <wfs:totalDeleted>${done.delete}</wfs:totalDeleted>
  </wfs:TransactionSummary>
${resultsXml('Insert', done.made)}${isNew ? resultsXml('Replace', done.replaced) : ''}</wfs:TransactionResponse>
`;
}

/** Reads all actions, and finds the layers that they change. Throws for what is not understood or not allowed. */
async function actionsOf(answering: Answering, root: XmlElement): Promise<Action[]> {
  const { services, request } = answering;
  const layers = new Map<string, Layer>();
  const layerNamed = async (name: string | undefined): Promise<Layer> => {
    if (name === undefined) throw owsError('MissingParameterValue', 'typeName is missing', 'typeName');
    const code = layerCodeIn(name, 'typeName');
    const layer = layers.get(code) ?? (await viewableLayer(request, { services, level: 'edit', code }));
    if (!ownsObjects(layer))
      throw owsError('OperationNotSupported', `The type '${code}' is read-only`, 'typeName');
    layers.set(code, layer);
    return layer;
  };
  // WFS 1.0 has x before y whatever the name of the system; QGIS names it by a URN.
  const isEastFirst = putsEastFirst(root.attributes.version);
  const slices = createSlices();
  const { batchLimit } = services.config;
  let count = 0;
  // Before they are read: a geometry in another system is a statement of its own.
  const countOne = (): void => {
    if (++count > batchLimit) throw tooMany(batchLimit);
  };
  const actions: Action[] = [];
  const elements = root.children.filter((element) => !isIgnored(element));
  const insert = async (reading: Reading, feature: XmlElement, place: ActionPlace): Promise<void> => {
    if (slices.isOver()) await slices.next();
    const layer = await layerNamed(feature.name);
    const input = await inputOf(reading, layer, propertiesOf(feature, layer));
    const last = actions.at(-1);
    if (last?.kind !== 'insert' || last.layer !== layer || last.place.handle !== place.handle)
      return void actions.push({ kind: 'insert', layer, place, inputs: [input], places: [place] });
    last.inputs.push(input);
    last.places.push(place);
  };
  for (const [at, element] of elements.entries()) {
    const { handle, srsName = root.attributes.srsName } = element.attributes;
    const reading = { answering, srsName, isEastFirst };
    const place = { name: `${element.name.slice(0, 50)} (action ${at + 1})`, handle };
    const features = element.name === 'Insert' ? featuresIn(element) : undefined;
    if (!features) {
      countOne();
      actions.push(await locatedAt(place, () => changeOf(reading, element, { layerNamed, place })));
    }
    for (const [index, feature] of features?.entries() ?? []) {
      countOne();
      const own = { name: `${place.name}, feature ${index + 1}`, handle };
      await locatedAt(own, () => insert(reading, feature, own));
    }
  }
  if (!actions.length && elements.length === root.children.length)
    throw owsError('MissingParameterValue', 'A Transaction has actions', 'Transaction');
  return actions;
}

/** Whether an element is an action of another program that may be left out. */
const isIgnored = ({ name, attributes }: XmlElement): boolean =>
  name === 'Native' && /^(true|1)$/.test(attributes.safeToIgnore?.trim() ?? '');

/** The features of an insertion: its children, or those of the members of a collection. */
const featuresIn = (element: XmlElement): XmlElement[] =>
  element.children.flatMap((child) =>
    /^(FeatureCollection|member|featureMember|featureMembers)$/.test(child.name)
      ? featuresIn(child)
      : [child],
  );

interface Reading {
  answering: Answering;
  srsName: string | undefined;
  /** Whether coordinates have x before y in every system. */
  isEastFirst: boolean;
}

async function changeOf(
  reading: Reading,
  element: XmlElement,
  { layerNamed, place }: { layerNamed(name: string | undefined): Promise<Layer>; place: ActionPlace },
): Promise<Action> {
  const { services } = reading.answering;
  const { name } = element;
  if (name !== 'Update' && name !== 'Delete' && name !== 'Replace')
    throw owsError('OperationNotSupported', `The action '${name.slice(0, 50)}' is not served`, 'Transaction');
  const filterElement = elementIn(element, 'Filter');
  const feature = name === 'Replace' ? element.children.find((child) => child !== filterElement) : undefined;
  const layer = await layerNamed(name === 'Replace' ? feature?.name : element.attributes.typeName);
  // Without a filter all features would change: a slip must not do that.
  if (!filterElement) throw owsError('MissingParameterValue', `${name} has a Filter`, 'Filter');
  const { srsName, isEastFirst } = reading;
  const filter = await cqlOfFes(filterElement, { db: services.db, layer, srsName, isEastFirst });
  if (name === 'Delete') return { kind: 'delete', layer, place, filter };
  if (!feature)
    return {
      kind: 'update',
      layer,
      place,
      filter,
      input: await inputOf(reading, layer, changesIn(element)),
    };
  const sent = propertiesOf(feature, layer);
  const emptied = layer.columns.filter(({ type, code }) => !/^(title|file)$/.test(type) && code !== 'svc_id');
  const all = new Map<string, XmlElement | undefined>(emptied.map(({ code }) => [code, undefined]));
  for (const [code, value] of sent) all.set(code, value);
  return { kind: 'replace', layer, place, filter, input: await inputOf(reading, layer, all) };
}

/** Properties that GML gives to every feature. */
const gmlProperties =
  /^(metaDataProperty|description|descriptionReference|identifier|name|boundedBy|location)$/;

/** The values of a feature by codes, apart from what GML adds: the layer has no place for it. */
const propertiesOf = ({ children }: XmlElement, { columns }: Layer): Map<string, XmlElement | undefined> =>
  new Map(
    children
      .filter(({ name }) => !gmlProperties.test(name) || columns.some(({ code }) => code === name))
      .map((child) => [codeOfName(child.name), child]),
  );

/** The new values of an Update by codes; one without a Value becomes none. */
function changesIn(element: XmlElement): Map<string, XmlElement | undefined> {
  return new Map(
    elementsIn(element, 'Property').map((property) => {
      const reference = elementIn(property, 'ValueReference') ?? elementIn(property, 'Name');
      return [codeIn(reference?.text ?? '', 'ValueReference'), elementIn(property, 'Value')];
    }),
  );
}

async function inputOf(
  reading: Reading,
  layer: Layer,
  values: ReadonlyMap<string, XmlElement | undefined>,
): Promise<ObjectInput> {
  const { request } = reading.answering;
  const { lng } = request.query as { lng?: string };
  const input: ObjectInput = { fields: {}, sr: '4326', languages: writtenLanguages(request.caller, lng) };
  for (const [code, element] of values) {
    const column = layer.columns.find((one) => one.code === code);
    if (!column && code !== 'svc_id')
      throw owsError(
        'InvalidParameterValue',
        `The type '${layer.code}' has no property '${code.slice(0, 100)}'`,
        code.slice(0, 100),
      );
    if (column?.type === 'geom') input.geom = element ? await geometryIn(reading, element) : null;
    else if (code !== 'svc_id') input.fields[code] = valueIn(column!, element);
  }
  return input;
}

/** A geometry in longitude and latitude; null for an element that says so by `xsi:nil`. */
async function geometryIn(
  { answering: { services }, srsName, isEastFirst }: Reading,
  element: XmlElement,
): Promise<unknown> {
  const { db } = services;
  const [shape] = element.children;
  if (!shape && isNil(element)) return null;
  // QGIS sends it for a geometry that it cannot write, such as a polygon with heights: as none it would erase the stored one.
  if (!shape)
    throw owsError(
      'InvalidParameterValue',
      'geometry: the element is empty; leave it out to have no geometry. Some programs send it for geometries that they cannot write, such as those with heights',
      'geometry',
    );
  if (!isGmlGeometry(shape))
    throw owsError(
      'InvalidParameterValue',
      `'${shape.name.slice(0, 50)}' is no geometry that is taken`,
      'geometry',
    );
  const gml = readGml(shape);
  const crs = await findNamedCrs(db, gml.srsName ?? srsName, { parameter: 'srsName', isEastFirst });
  return toLonLat(db, checkGeometry(gml.geometry, 'any'), crs, 'geometry');
}

const isNil = ({ attributes }: XmlElement): boolean => attributes.nil === 'true';

/** A value in the form of its column; the functions that write check it. */
function valueIn({ type, code }: Column, element: XmlElement | undefined): unknown {
  if (!element || isNil(element)) return null;
  const { text } = element;
  const trimmed = text.trim();
  if (type === 'string' || type === 'text') return text;
  if (trimmed === '') return null;
  if (type === 'number') return Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
  if (type === 'bool')
    return /^(true|1)$/i.test(trimmed) ? true : /^(false|0)$/i.test(trimmed) ? false : trimmed;
  // GDAL writes 2024/05/01 12:00:00.
  if (type === 'datetime') return trimmed.replace(/^(\d{4})\/(\d\d)\/(\d\d)/, '$1-$2-$3');
  if (type !== 'json') return trimmed;
  try {
    return JSON.parse(trimmed);
  } catch {
    // As a text it would be stored, and be no JSON for the next program.
    throw valueInvalid(code, noteOf('takesJson'));
  }
}

interface Carried {
  action: Action;
  /** How many objects may still be changed. */
  room: { left: number; most: number };
}

/** The ids of the objects that an action has written or deleted. */
async function carryOut(answering: Answering, tx: Transaction, { action, room }: Carried): Promise<number[]> {
  const { layer } = action;
  const take = (count: number): void => {
    room.left -= count;
    if (room.left < 0) throw tooMany(room.most);
  };
  if (action.kind === 'insert') {
    take(action.inputs.length);
    const batch = { delete: [], update: [], create: action.inputs };
    return writeBatch(tx, layer, batch, (error, _kind, index) => located(error, action.places[index]!));
  }
  const ids = await idsOf(answering, tx, { layer, filter: action.filter, limit: room.left + 1 });
  take(ids.length);
  if (!ids.length) return ids;
  if (action.kind === 'delete') await deleteObjects(tx, layer, ids);
  else {
    const update = ids.map((id) => ({ id, input: action.input }));
    const { name, handle } = action.place;
    await writeBatch(tx, layer, { delete: [], update, create: [] }, (error, _kind, index) =>
      located(error, { name: `${name}, ${resourceIdOf(layer.code, ids[index]!)}`, handle }),
    );
  }
  return ids;
}

/** The ids of the objects that meet a filter. */
async function idsOf(
  { services: { config }, request }: Answering,
  tx: Transaction,
  { layer, filter, limit }: { layer: Layer; filter: unknown; limit: number },
): Promise<number[]> {
  const list = parseListQuery({}, layer, mainLanguage(request.caller), config);
  const query = { ...list, filter: parseFilter(filter, layer.columns), columns: [], limit };
  const ids: number[] = [];
  for await (const rows of listObjects(tx, layer, query, request.gone)) ids.push(...rows.map(({ id }) => id));
  return ids;
}
