import type { AnswerOf } from '@cartulary/client';
import { Button, Loader } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../../../common/Dialog.js';
import fields from '../../../../common/fields.module.css';
import { useLanguage } from '../../../../common/texts/language.js';
import { useLoaded } from '../../../useLoaded.js';
import { Bars, type Bin } from '../../Bars.js';
import { isScalar } from '../../columns/columns.js';
import { useExplain } from '../edit/useExplain.js';
import { valueText } from '../grid/cellText.js';
import type { RowSource } from '../rows/source.js';
import { useTableTexts } from '../useTableTexts.js';
import classes from './statistics.module.css';

const statisticsPath = '/api/2.8/{project}/{map}/layers/{layer}/statistics/';

type Statistics = AnswerOf<typeof statisticsPath, 'post'>;
type Column = RowSource['columns'][number];

/** Texts count by their first characters: a longer one cannot be compared. */
const wholeTextLimit = 500;

interface StatisticsDialogProps {
  source: RowSource;
  /** The column to begin with. */
  code: string | undefined;
  /** Called with a condition, when only the objects that meet it are to be shown. */
  onShow: (term: object) => void;
  onClose: () => void;
}

/** What the values of a column are, of the objects that the table shows. */
export function StatisticsDialog({ source, code, onShow, onClose }: StatisticsDialogProps): ReactNode {
  const texts = useTableTexts();
  const explain = useExplain();
  const columns = source.columns.filter(isScalar);
  const [chosen, setChosen] = useState(code);
  const column = columns.find((one) => one.code === chosen) ?? columns[0]!;
  const { value, error } = useStatistics(source, column);
  const show = (wanted: unknown): void => {
    const property = { property: column.code };
    const term = wanted === null ? { op: 'isNull', args: [property] } : { op: '=', args: [property, wanted] };
    onShow(term);
    onClose();
  };
  return (
    <Dialog title={texts.statistics} onClose={onClose}>
      <div className={fields.form}>
        <label className={fields.field}>
          <span>{texts.column}</span>
          <select value={column.code} onChange={(event) => setChosen(event.currentTarget.value)}>
            {columns.map((one) => (
              <option key={one.code} value={one.code}>
                {one.name || one.code}
              </option>
            ))}
          </select>
        </label>
        {source.filter && <p className={fields.hint}>{texts.statisticsOfFilter}</p>}
        <p className={fields.problem} role="alert">
          {error ? explain(error) : ''}
        </p>
        {!value && !error && <Loader size="sm" />}
        {value && <Values column={column} statistics={value} onShow={show} />}
      </div>
    </Dialog>
  );
}

function useStatistics({ client, path, filter, lng }: RowSource, { code, type }: Column) {
  const key = JSON.stringify([path, code, filter]);
  const isOrdered = type === 'number' || type === 'datetime';
  return useLoaded(key, (signal) =>
    client.post(statisticsPath, {
      params: { path, query: { lng } },
      body: {
        column: code,
        ...(filter ? { filter } : {}),
        percentiles: isOrdered ? [25, 50, 75] : [],
        ...(isOrdered ? { histogram: 'equal', bins: 32 } : {}),
        frequent: 20,
      } as never,
      isRead: true,
      signal,
    }),
  );
}

interface ValuesProps {
  column: Column;
  statistics: Statistics;
  /** Shows only the objects with a value. */
  onShow: (value: unknown) => void;
}

function Values({ column, statistics, onShow }: ValuesProps): ReactNode {
  const texts = useTableTexts();
  const { ui, texts: common } = useLanguage();
  const textOf = (value: unknown): string => valueText(column, rounded(value), ui, common);
  const bins = (statistics.histogram ?? []) as Bin[];
  const name = column.name || column.code;
  const ends = [textOf(bins[0]?.from), textOf(bins.at(-1)?.to)] as const;
  return (
    <>
      <Facts statistics={statistics} textOf={textOf} />
      {bins.length > 1 && <Bars label={texts.distribution(name, ...ends)} bins={bins} ends={ends} />}
      {statistics.frequent.length > 0 && (
        <section aria-label={texts.frequent}>
          <h3 className={classes.heading}>{texts.frequent}</h3>
          <ul className={classes.frequent}>
            {statistics.frequent.map(({ value, count }) => (
              <li key={String(value)}>
                <Button
                  variant="subtle"
                  size="compact-md"
                  className={classes.value!}
                  disabled={typeof value === 'string' && value.length >= wholeTextLimit}
                  title={texts.showOnly(textOf(value))}
                  onClick={() => onShow(value)}
                >
                  {textOf(value) || texts.emptyText}
                </Button>
                <span>{count.toLocaleString(ui)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Means and percentiles have more digits than anybody reads. */
const rounded = (value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(9)) : value;

interface FactsProps {
  statistics: Statistics;
  textOf: (value: unknown) => string;
}

function Facts({ statistics, textOf }: FactsProps): ReactNode {
  const { facts } = useTableTexts();
  const { count, nulls, distinct, distinct_limited, min, max, mean, sum, deviation, percentiles } =
    statistics;
  const at = (percentile: number): unknown => percentiles.find((one) => one.percentile === percentile)?.value;
  const rows: [string, unknown][] = [
    [facts.objects, count],
    [facts.empty, nulls],
    [facts.distinct, distinct],
    [facts.min, min],
    [facts.quarter, at(25)],
    [facts.median, at(50)],
    [facts.threeQuarters, at(75)],
    [facts.max, max],
    [facts.mean, mean],
    [facts.deviation, deviation],
    [facts.sum, sum],
  ];
  return (
    <dl className={classes.facts}>
      {rows.map(
        ([label, value], i) =>
          value !== null &&
          value !== undefined && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                {i === 2 && distinct_limited && '> '}
                {i < 3 ? Number(value).toLocaleString() : textOf(value)}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
