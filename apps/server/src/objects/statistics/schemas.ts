import { Type } from 'typebox';
import { FilterBody } from '../schemas.js';

/** Largest numbers of bins, frequent values, percentiles, and columns of one request; bounds of time and answer. */
const statisticsLimits = {
  bins: 500,
  frequent: 1_000,
  percentiles: 20,
  distinct: 100_000,
  by: 5,
  of: 20,
} as const;

/** Longest text in an answer, characters. Longer ones count by their beginning. */
export const textLimit = 500;

const selection = {
  filter: FilterBody.properties.filter,
  fbbox: FilterBody.properties.fbbox,
  bboxSR: Type.Optional(Type.Unknown({ description: 'Projection of fbbox: 4326 (default) or 3857' })),
};

const Percentiles = Type.Optional(
  Type.Array(Type.Number({ minimum: 0, maximum: 100 }), {
    maxItems: statisticsLimits.percentiles,
    default: [25, 50, 75],
    description:
      'Percentiles, 0 to 100. Between two numbers they are interpolated; of dates they are values that occur',
  }),
);

export const ColumnStatisticsBody = Type.Object({
  column: Type.String({ description: 'Code of the column', examples: ['hectares'] }),
  ...selection,
  percentiles: Percentiles,
  histogram: Type.Optional(
    Type.Enum(['equal', 'quantile'], {
      description: 'Bins of equal width, or of about as many objects each; absent: no histogram',
    }),
  ),
  bins: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: statisticsLimits.bins,
      default: 10,
      description: 'Most bins of the histogram',
    }),
  ),
  frequent: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: statisticsLimits.frequent,
      default: 10,
      description: 'Most of the most frequent values',
    }),
  ),
  distinct: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: statisticsLimits.distinct,
      default: 1_000,
      description: 'Different values are counted up to this number',
    }),
  ),
});

export const GroupsBody = Type.Object({
  by: Type.Array(Type.String(), {
    maxItems: statisticsLimits.by,
    description: 'Codes of the columns whose equal values make a group; none: one group of all objects',
    examples: [['district']],
  }),
  of: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: statisticsLimits.of,
      description: 'Codes of number and datetime columns whose statistics are told for each group',
      examples: [['hectares']],
    }),
  ),
  ...selection,
  percentiles: Percentiles,
  sort: Type.Optional(
    Type.Enum(['count', 'by'], {
      default: 'count',
      description: 'count: the largest group first; by: in the order of the values of `by`',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Most groups; 1,000 when absent, 10,000 at most (a setting)' }),
  ),
});

const Value = Type.Unknown({ description: 'As in an object: number, text, boolean, or ISO 8601 text' });
const PercentileAnswers = Type.Array(Type.Object({ percentile: Type.Number(), value: Value }), {
  description: 'In the order of the request; empty without values',
});
const NumberOrNull = (description: string) =>
  Type.Unsafe<number | null>({ anyOf: [Type.Number(), Type.Null()], description });

const summary = {
  min: Value,
  max: Value,
  mean: NumberOrNull('Of numbers'),
  sum: NumberOrNull('Of numbers'),
  percentiles: PercentileAnswers,
};

export const ColumnStatisticsAnswer = Type.Object({
  count: Type.Integer({ description: 'Objects that meet the filter' }),
  nulls: Type.Integer({ description: 'Those without a value' }),
  values: Type.Integer({
    description: 'Those whose value counts below; a number beyond ±1e100 does not',
  }),
  distinct: Type.Integer({ description: 'Different values, up to the limit' }),
  distinct_limited: Type.Boolean({ description: 'Whether there are more than `distinct`' }),
  ...summary,
  deviation: NumberOrNull('Standard deviation of numbers'),
  histogram: Type.Unsafe<unknown>({
    anyOf: [
      Type.Array(
        Type.Object({
          from: Value,
          to: Value,
          count: Type.Integer({
            description: 'Values from `from` to below `to`; in the last bin up to `to`',
          }),
        }),
      ),
      Type.Null(),
    ],
    description: 'null where none was asked for',
  }),
  frequent: Type.Array(Type.Object({ value: Value, count: Type.Integer() }), {
    description: `The most frequent values; texts count by their first ${textLimit} characters`,
  }),
});

export const GroupsAnswer = Type.Object({
  groups: Type.Array(
    Type.Object({
      by: Type.Record(Type.String(), Value, {
        description: 'Column code → value; null: objects without one',
      }),
      count: Type.Integer({ description: 'Objects' }),
      of: Type.Record(
        Type.String(),
        Type.Object({ count: Type.Integer({ description: 'Values' }), ...summary }),
        { description: 'Column code → its statistics' },
      ),
    }),
  ),
  more: Type.Boolean({ description: 'Whether there are further groups' }),
});
