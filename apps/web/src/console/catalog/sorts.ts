import type { CatalogMap } from './types.js';

export const catalogSorts = ['changed', 'own', 'name'] as const;
export type CatalogSort = (typeof catalogSorts)[number];

/** Maps in an order. The service answers them in that of the project. */
export function sortMaps(maps: readonly CatalogMap[], sort: CatalogSort, language: string): CatalogMap[] {
  if (sort === 'own') return [...maps];
  if (sort === 'changed') return maps.toSorted((a, b) => timeOf(b) - timeOf(a));
  const { compare } = new Intl.Collator(language, { numeric: true });
  return maps.toSorted((a, b) => compare(a.name || a.code, b.name || b.code));
}

const timeOf = ({ changed }: CatalogMap): number => (changed ? Date.parse(changed) : 0);
