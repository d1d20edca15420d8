import { ActionIcon, Button, Loader } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { IconChevronLeft, IconChevronRight, IconX, IconZoomScan } from '../../common/icons.js';
import { useTexts } from '../../common/texts/language.js';
import { formattedFields } from '../objects.js';
import type { ColumnInfo, Hit, MapAddress } from '../types.js';
import type { Pointing } from '../usePointing.js';
import { Files } from './Files.js';
import classes from './ObjectPanel.module.css';
import panel from './panel.module.css';
import { displayValue, isEmpty, titleOf } from './values.js';

interface ObjectPanelProps {
  pointing: Pointing;
  map: MapAddress;
  language: string;
  onZoom: (hit: Hit) => void;
  onClose: () => void;
}

/** The objects at the position that the user points at, one at a time. */
export function ObjectPanel({ pointing, map, language, onZoom, onClose }: ObjectPanelProps): ReactNode {
  const texts = useTexts();
  const { hits, index, state, target } = pointing;
  const hit = hits[index];
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (target && ('chosen' in target || target.place.byKeyboard)) heading.current?.focus();
  }, [target]);
  return (
    <section className={panel.panel} aria-label={texts.object} data-testid="object">
      <header className={classes.head}>
        <div className={classes.titles}>
          {hit && <p className={classes.layer}>{hit.layer.name || hit.layer.code}</p>}
          <h2 ref={heading} className={classes.title} tabIndex={-1}>
            {hit ? titleOf(hit, texts) : texts.object}
          </h2>
        </div>
        <ActionIcon variant="subtle" color="gray" size={44} aria-label={texts.close} onClick={onClose}>
          <IconX size={20} />
        </ActionIcon>
      </header>
      {hits.length > 1 && <Stepper pointing={pointing} />}
      <div className={`${panel.body} ${classes.body}`}>
        <div role="status">
          {state === 'asking' && (
            <p className={classes.note}>
              <Loader size="xs" /> {pointing.busy ? texts.busy : texts.searching}
            </p>
          )}
          {state === 'answered' && !hit && !pointing.failed.length && (
            <p className={classes.note}>{texts.nothingHere}</p>
          )}
          {pointing.failed.length > 0 && (
            <p className={classes.note}>{texts.notAnswered(pointing.failed.join(', '))}</p>
          )}
        </div>
        {hit && <Fields hit={hit} map={map} language={language} />}
      </div>
      {hit?.object.geom && (
        <footer className={classes.foot}>
          <Button
            variant="light"
            fullWidth
            h={44}
            leftSection={<IconZoomScan size={18} stroke={1.7} aria-hidden />}
            onClick={() => onZoom(hit)}
          >
            {texts.zoomTo}
          </Button>
        </footer>
      )}
    </section>
  );
}

function Stepper({ pointing: { hits, index, step } }: { pointing: Pointing }): ReactNode {
  const texts = useTexts();
  return (
    <div className={classes.stepper}>
      <ActionIcon variant="default" size={44} aria-label={texts.previous} onClick={() => step(-1)}>
        <IconChevronLeft size={20} />
      </ActionIcon>
      <span role="status">{texts.objectOf(index + 1, hits.length)}</span>
      <ActionIcon variant="default" size={44} aria-label={texts.next} onClick={() => step(1)}>
        <IconChevronRight size={20} />
      </ActionIcon>
    </div>
  );
}

interface FieldsProps {
  hit: Hit;
  map: MapAddress;
  language: string;
}

function Fields({ hit, map, language }: FieldsProps): ReactNode {
  const texts = useTexts();
  const formatted = useFormatted({ hit, map, language });
  const { fields } = hit.object;
  const shown = hit.columns.filter(
    ({ type, code }) => type !== 'geom' && type !== 'title' && code !== 'svc_id' && !isEmpty(fields[code]),
  );
  if (!shown.length) return <p className={classes.note}>{texts.noFields}</p>;
  return (
    <dl className={classes.fields} lang={language}>
      {shown.map((column, i) => (
        <div key={column.id} className={classes.field}>
          <Group column={column} before={shown[i - 1]} columns={hit.columns} />
          <dt>{column.name || column.code}</dt>
          <dd>
            <FieldValue column={column} hit={hit} map={map} language={language} formatted={formatted} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface FieldValueProps extends FieldsProps {
  column: ColumnInfo;
  formatted: Record<string, unknown>;
}

function FieldValue({ column, formatted, ...of }: FieldValueProps): ReactNode {
  const texts = useTexts();
  const own = formatted[column.code];
  if (column.format && typeof own === 'string') return own;
  const value = displayValue(column, of.hit.object.fields[column.code], { language: of.language, texts });
  if (column.type !== 'file') return value;
  return (
    <Files column={column} {...of}>
      {value}
    </Files>
  );
}

interface GroupProps {
  column: ColumnInfo;
  before: ColumnInfo | undefined;
  columns: readonly ColumnInfo[];
}

/** The title of a group of columns, above the first column of the group. */
function Group({ column, before, columns }: GroupProps): ReactNode {
  if (!column.parent_id || before?.parent_id === column.parent_id) return null;
  const title = columns.find(({ id, type }) => id === column.parent_id && type === 'title');
  return title ? <span className={classes.group}>{title.name || title.code}</span> : null;
}

/** The formatted values; requested only if a column has a format. */
function useFormatted({ hit, map, language }: FieldsProps): Record<string, unknown> {
  const [fields, setFields] = useState<{ of: Hit; values: Record<string, unknown> } | null>(null);
  const { project, map: mapCode } = map;
  useEffect(() => {
    if (!hit.columns.some(({ format }) => format)) return;
    const controller = new AbortController();
    formattedFields(hit, { project, map: mapCode }, { language, signal: controller.signal }).then(
      (values) => setFields({ of: hit, values }),
      () => {}, // the unformatted values stay on display
    );
    return () => controller.abort();
  }, [hit, project, mapCode, language]);
  return fields?.of === hit ? fields.values : {};
}
