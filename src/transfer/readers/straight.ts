import type { PackedType } from '../../db/copy-binary.js';
import type { Column } from '../../layers/layers.js';

/** The file cannot be read straight into a table: it is read as all others are. */
export class NotStraight extends Error {}

/** A column that is filled straight out of a property. */
export interface StraightColumn {
  /** Of the property. */
  index: number;
  type: StraightType;
}

export type StraightType = Extract<PackedType, 'text' | 'double precision' | 'boolean' | 'timestamptz'>;

/** Kinds of columns that take the values of a type. */
const takers: Readonly<Record<StraightType, readonly Column['type'][]>> = {
  text: ['string', 'text'],
  'double precision': ['number'],
  boolean: ['bool'],
  timestamptz: ['datetime'],
};

/** Whether values of a type, as they are, are those of a column. */
export const isTakenBy = (
  type: StraightType,
  { type: taker, localized_value }: Pick<Column, 'type' | 'localized_value'>,
): boolean => !localized_value && takers[type].includes(taker);
