import type { Column } from '@cartulary/columns';
import type { PackedType } from '@cartulary/sql';

/** Thrown for a file that cannot be loaded directly into the table of a layer. It must be read through the staging table. */
export class NotDirectlyLoadable extends Error {}

/** A column of the table that a direct load fills. */
export interface DirectLoadColumn {
  /** Index of its property. */
  index: number;
  type: DirectLoadType;
}

export type DirectLoadType = Extract<PackedType, 'text' | 'double precision' | 'boolean' | 'timestamptz'>;

/** Types of layer columns that store the values of a type unchanged. */
const takers: Readonly<Record<DirectLoadType, readonly Column['type'][]>> = {
  text: ['string', 'text'],
  'double precision': ['number'],
  boolean: ['bool'],
  timestamptz: ['datetime'],
};

/** Whether a layer column stores values of a type unchanged. */
export const isStoredUnchanged = (
  type: DirectLoadType,
  { type: taker, localized_value }: Pick<Column, 'type' | 'localized_value'>,
): boolean => !localized_value && takers[type].includes(taker);
