import type { ConflictField } from '../inspector/Conflict.js';
import { type ColumnDraft, type ColumnKey, differences, nameOf, type StoredColumn } from './columns.js';
import type { ColumnTexts } from './texts.en.js';

interface Versions {
  /** The version that the changes were made from. */
  base: ColumnDraft;
  mine: ColumnDraft;
  theirs: ColumnDraft;
}

/** The keys that both have changed, to different values. */
export const conflictingKeys = ({ base, mine, theirs }: Versions): ColumnKey[] => {
  const [own, other] = [differences(mine, base), differences(theirs, base)];
  return differences(mine, theirs).filter((key) => own.includes(key) && other.includes(key));
};

/** The fields that two people have changed, as they are shown. */
export function conflictFields(
  versions: Versions,
  { texts, columns }: { texts: ColumnTexts; columns: readonly StoredColumn[] },
): ConflictField[] {
  const labels: Readonly<Record<ColumnKey, string>> = {
    name: texts.title,
    code: texts.code,
    type: texts.type,
    localized_name: texts.titles,
    localized_value: texts.perLanguage,
    required: texts.mustFill,
    parent_id: texts.group,
    format: texts.format,
  };
  const shown = (draft: ColumnDraft, key: ColumnKey): string => {
    if (key === 'name')
      return draft.localized_name ? Object.values(draft.names).filter(Boolean).join(', ') : draft.name;
    if (key === 'type') return texts.types[draft.type] ?? draft.type;
    if (key === 'parent_id') {
      const heading = columns.find(({ id }) => id === draft.parent_id);
      return heading ? nameOf(heading) : texts.noGroup;
    }
    if (key === 'format')
      return Object.entries(draft.format)
        .map(([name, value]) => `${texts.formats[name as keyof ColumnTexts['formats']] ?? name}: ${value}`)
        .join(', ');
    const value = draft[key];
    return typeof value === 'boolean' ? (value ? texts.yes : texts.no) : value;
  };
  return conflictingKeys(versions).map((key) => ({
    key,
    label: labels[key],
    mine: shown(versions.mine, key),
    theirs: shown(versions.theirs, key),
  }));
}
