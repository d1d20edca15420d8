import type { Extent } from '../common/types.js';
import type { LayerResult, ObjectResult, SearchResult } from './search.js';
import type { TreeItem } from './tree.js';

/** What the list shows of a search result. */
export interface ResultLabel {
  title: string;
  /** The layer, and whatever tells the result from others of the same title. */
  details: readonly string[];
}

interface LabelContext {
  items: readonly TreeItem[];
  /** Language of the pages. */
  language: string;
  texts: {
    layer: string;
    objectId: (id: string) => string;
    latitude: (degrees: string, isNorth: boolean) => string;
    longitude: (degrees: string, isEast: boolean) => string;
  };
}

/** The labels of search results, in their order. */
export function labelsOf(results: readonly SearchResult[], context: LabelContext): ResultLabel[] {
  const labels = new Map<SearchResult, ResultLabel>();
  for (const result of results) if (result.type === 'layer') labels.set(result, layerLabel(result, context));
  const objects = results.filter((result) => result.type === 'object');
  for (const code of new Set(objects.map(({ layer }) => layer)))
    labelObjects(
      objects.filter(({ layer }) => layer === code),
      context,
      labels,
    );
  return results.map((result) => labels.get(result)!);
}

const layerLabel = ({ code, name }: LayerResult, { items, texts }: LabelContext): ResultLabel => ({
  title: name,
  details: [texts.layer, ...folderOf(code, items)],
});

/** The folder of a layer whose name another layer has too. */
function folderOf(code: string, items: readonly TreeItem[]): string[] {
  const layer = items.find((one) => one.type !== 'folder' && one.code === code);
  const isOnly = !items.some((one) => one.type !== 'folder' && one.code !== code && one.name === layer?.name);
  const folder = isOnly ? undefined : items.find(({ id }) => id === layer?.parent_id);
  return folder?.name ? [folder.name] : [];
}

/**
 * Labels the objects of one layer. If some have one title, all get the value of the first further column, and those of others
 * as far as they tell objects apart; objects that are still equal get their position.
 */
function labelObjects(
  objects: readonly ObjectResult[],
  context: LabelContext,
  labels: Map<SearchResult, ResultLabel>,
): void {
  const { items, texts } = context;
  const told = objects.map((object) => {
    const { name, value, layer, layer_name, name_column, search_column, svc_id } = object;
    const title = name === null || name === '' ? '' : String(name);
    const matched = title !== '' && name_column !== search_column ? [value] : [];
    return {
      object,
      title: title || value || texts.objectId(String(svc_id)),
      details: [layer_name || layer, ...folderOf(layer, items), ...matched],
    };
  });
  const keyOf = ({ title, details }: ResultLabel): string => JSON.stringify([title, details]);
  const different = (): number => new Set(told.map(keyOf)).size;
  let isFirst = true;
  for (const column of new Set(objects.flatMap(({ values }) => Object.keys(values)))) {
    const before = different();
    if (before === told.length) break;
    const further = told.map(({ object }) => furtherValue(object, column));
    if (!further.flat().length) continue;
    const earlier = told.map(({ details }) => details);
    for (const [i, one] of told.entries()) one.details = [...one.details, ...further[i]!];
    // The first column is usually what objects belong to, such as a country: it helps even if it is the same.
    if (!isFirst && different() === before) for (const [i, one] of told.entries()) one.details = earlier[i]!;
    isFirst = false;
  }
  const counts = new Map<string, number>();
  for (const one of told) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  for (const one of told) {
    const isAlone = counts.get(keyOf(one)) === 1;
    const { object, title, details } = one;
    labels.set(object, { title, details: isAlone ? details : [...details, placeOf(object, context)] });
  }
}

/** The value of a column, unless the label has it already. */
function furtherValue({ values, name_column, search_column }: ObjectResult, column: string): string[] {
  const value = values[column];
  const isShown = column === name_column || column === search_column;
  return isShown || value === undefined || value === null ? [] : [String(value)];
}

const placeOf = ({ bbox, svc_id }: ObjectResult, { language, texts }: LabelContext): string => {
  if (!bbox) return texts.objectId(String(svc_id));
  const [latitude, longitude] = middleOf(bbox);
  const degrees = (value: number): string =>
    new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(Math.abs(value));
  return `${texts.latitude(degrees(latitude), latitude >= 0)}, ${texts.longitude(degrees(longitude), longitude >= 0)}`;
};

const middleOf = ({ sw, ne }: Extent): [number, number] => [(sw[0] + ne[0]) / 2, (sw[1] + ne[1]) / 2];
