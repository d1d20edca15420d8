import type { StoredColumn } from '../columns.js';
import type { Rule } from './rules.js';

/** What the fields of a rule show and change. */
export interface RuleFieldsProps {
  project: string;
  columns: readonly StoredColumn[];
  column: StoredColumn;
  rule: Rule;
  onChange: (rule: Rule) => void;
}
