import type { ReactNode } from 'react';
import { IconFilter, IconX } from '../../common/icons.js';
import { useToolTexts } from '../tools/useToolTexts.js';
import type { TreeItem } from '../tree.js';
import classes from './filters.module.css';
import type { FilterState } from './useFilters.js';

interface FilterNotesProps {
  filters: FilterState;
  /** The visible layers. */
  layers: readonly TreeItem[];
  language: string;
}

/** Says on the map which layers show a part of their objects. */
export function FilterNotes({
  filters: { filters, setFilter },
  layers,
  language,
}: FilterNotesProps): ReactNode {
  const texts = useToolTexts();
  const filtered = layers.filter(({ code }) => filters[code]);
  if (!filtered.length) return null;
  return (
    <section className={classes.notes} aria-label={texts.filters}>
      {filtered.map((layer) => {
        const name = layer.name || layer.code;
        return (
          <button
            key={layer.id}
            type="button"
            className={classes.note}
            aria-label={texts.showAll(name)}
            title={texts.showAll(name)}
            onClick={() => setFilter(layer.code, null)}
          >
            <IconFilter size={16} stroke={1.8} />
            <span lang={language}>{name}</span>
            <IconX size={16} stroke={1.8} />
          </button>
        );
      })}
    </section>
  );
}
