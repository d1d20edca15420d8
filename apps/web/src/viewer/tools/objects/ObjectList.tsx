import { Loader } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { call } from '../../../common/api.js';
import { address as addressOf } from '../../../common/base.js';
import { useTexts } from '../../../common/texts/language.js';
import type { Extent } from '../../../common/types.js';
import { cqlOf } from '../../filters/filters.js';
import { displayValue, isEmpty, titleOf } from '../../panels/values.js';
import type { TreeItem } from '../../tree.js';
import type { ColumnInfo, ObjectInfo } from '../../types.js';
import type { ToolContext } from '../context.js';
import { useToolTexts } from '../useToolTexts.js';
import classes from './objects.module.css';

/** Maximum number of listed objects. */
const limit = 100;

interface ObjectListProps {
  context: ToolContext;
  layer: TreeItem;
  columns: readonly ColumnInfo[];
}

/** The objects of a layer in view; one that is chosen is opened. */
export function ObjectList({ context, layer, columns }: ObjectListProps): ReactNode {
  const texts = useToolTexts();
  const common = useTexts();
  const { objects, hasMore, state } = useObjects({ context, layer, columns });
  const filter = context.filters.filters[layer.code];
  const beside = columns.find(({ code, type }) => code === filter?.column && type !== 'string');
  return (
    <>
      <p className={classes.count} role="status">
        {state === 'failed'
          ? common.unreachable
          : state === 'first'
            ? common.loading
            : hasMore
              ? texts.firstInView(objects.length)
              : texts.inView(objects.length)}
        {state === 'again' && <Loader size={14} aria-hidden />}
      </p>
      <ul className={classes.objects} lang={context.language}>
        {objects.map((object) => {
          const value = beside && object.fields[beside.code];
          return (
            <li key={object.id}>
              <button
                type="button"
                onClick={() => context.openObject({ layer: layer.code, id: Number(object.id) })}
              >
                <span>{titleOf({ layer, columns, object }, common)}</span>
                {beside && !isEmpty(value) && (
                  <small>{displayValue(beside, value, { language: context.language, texts: common })}</small>
                )}
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

interface Listed {
  objects: readonly ObjectInfo[];
  hasMore: boolean;
  state: 'first' | 'again' | 'answered' | 'failed';
}

/** Lists the objects in view, and again when the map stops moving or the filter changes. */
function useObjects({ context, layer, columns }: ObjectListProps): Listed {
  const { view, address, language, filters } = context;
  const [listed, setListed] = useState<Listed>({ objects: [], hasMore: false, state: 'first' });
  const [extent, setExtent] = useState<Extent | null>(null);
  useEffect(() => view?.watchExtent(setExtent), [view]);
  const filter = filters.filters[layer.code];
  const body = JSON.stringify({
    fields: [
      ...new Set([
        ...columns.filter(({ type }) => type === 'string').map(({ code }) => code),
        ...(filter ? [filter.column] : []),
      ]),
    ].slice(0, 8),
    limit,
    ...(extent && { fbbox: [...extent.sw, ...extent.ne].join(',') }),
    ...(filter && { filter: cqlOf(filter) }),
  });
  useEffect(() => {
    if (!extent) return;
    const controller = new AbortController();
    setListed((before) => ({ ...before, state: before.state === 'first' ? 'first' : 'again' }));
    let hasMore = false;
    const path = ['api', '2.8', address.project, address.map, 'layers', layer.code, 'filter'];
    call<ObjectInfo[]>(addressOf(path, { lng: language }), {
      signal: controller.signal,
      json: JSON.parse(body),
      onResponse: ({ headers }) => {
        hasMore = /rel="next"/.test(headers.get('link') ?? '');
      },
    }).then(
      (objects) => setListed({ objects, hasMore, state: 'answered' }),
      () => !controller.signal.aborted && setListed((before) => ({ ...before, state: 'failed' })),
    );
    return () => controller.abort();
  }, [address, layer.code, language, body, extent]);
  return listed;
}
