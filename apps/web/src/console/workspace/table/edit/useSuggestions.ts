import type { ColumnDetails } from '@cartulary/client';
import { useEffect, useState } from 'react';
import type { RowSource } from '../rows/source.js';

/** Most values that are offered. */
const most = 50;
/** Pause after a key before values are asked for, ms. */
const pauseMs = 150;

interface DictionaryColumn {
  map: string;
  layer: string;
  column: string;
}

const known = new Map<string, Promise<Map<string, DictionaryColumn>>>();

/** Called when dictionaries have changed. */
export const forgetDictionaries = (): void => known.clear();

/** The columns of a layer that have a dictionary, with the column that is its source; read once for a while of editing. */
function dictionariesOf({ client, path }: RowSource): Promise<Map<string, DictionaryColumn>> {
  const key = JSON.stringify([client.project, path]);
  const cached = known.get(key);
  if (cached) return cached;
  const params = { path };
  const reading = Promise.all([
    client.get('/api/2.8/{project}/{map}/dictionaries/{layer}/', { params }),
    client.get('/api/2.8/{project}/{map}/dictionaries_f/{layer}/', { params }),
  ]).then(
    ([strict, loose]) =>
      new Map(
        [...loose, ...strict].map((link) => [
          link.column_code,
          { map: link.dict_map_code, layer: link.dict_layer_code, column: link.dict_column_code },
        ]),
      ),
  );
  reading.catch(() => {});
  known.set(key, reading);
  setTimeout(() => known.delete(key), 60_000);
  return reading;
}

/** The values of the column's dictionary that contain a text; none without a dictionary, or without the right to see it. */
export function useSuggestions(source: RowSource, column: ColumnDetails, text: string): readonly string[] {
  const [values, setValues] = useState<readonly string[]>([]);
  const { code } = column;
  useEffect(() => {
    if (column.type !== 'string' && column.type !== 'number') return;
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => {
      offered(source, code, column.type === 'string' ? text : '', signal).then(
        (found) => !signal.aborted && setValues(found),
        () => {}, // the service says what is wrong with a value when it is stored
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [source, code, column.type, text]);
  return values;
}

async function offered(
  source: RowSource,
  code: string,
  text: string,
  signal: AbortSignal,
): Promise<string[]> {
  const dictionary = (await dictionariesOf(source)).get(code);
  if (!dictionary || signal.aborted) return [];
  const { map, layer, column } = dictionary;
  const property = { property: column };
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const body = {
    fields: column,
    sort: column,
    limit: most,
    lng: source.lng,
    ...(text ? { filter: { op: 'like', args: [property, pattern] } } : {}),
  };
  const params = { path: { map, layer } };
  const found = await source.client.post('/api/2.8/{project}/{map}/layers/{layer}/filter/', {
    params,
    body,
    isRead: true,
    signal,
  });
  return [
    ...new Set(found.flatMap(({ fields }) => (fields[column] == null ? [] : [String(fields[column])]))),
  ];
}
