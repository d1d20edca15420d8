import type { ColumnDetails } from '@cartulary/client';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Conflict } from '../../inspector/Conflict.js';
import { useTableTexts } from '../useTableTexts.js';
import type { EditStore } from './EditStore.js';
import classes from './edit.module.css';
import { useExplain } from './useExplain.js';
import { editText } from './values.js';

interface EditBarsProps {
  edits: EditStore;
  columns: readonly ColumnDetails[];
}

/** What is not stored, with the reason, and what somebody else has changed meanwhile. */
export function EditBars({ edits, columns }: EditBarsProps): ReactNode {
  const texts = useTableTexts();
  const explain = useExplain();
  const { failed, conflict } = edits;
  const typeOf = (code: string): string | undefined => columns.find((one) => one.code === code)?.type;
  const reasons = [...new Set(failed.map(({ error, code }) => explain(error, typeOf(code))))];
  const column = columns.find(({ code }) => code === conflict?.code);
  return (
    <>
      {failed.length > 0 && (
        <div className={classes.unsaved}>
          <p role="alert">
            {texts.notStored(failed.length)}: {reasons.join(' ')}
          </p>
          <Button variant="default" size="compact-md" onClick={() => edits.retry(columns)}>
            {texts.tryAll}
          </Button>
          <Button
            variant="subtle"
            size="compact-md"
            onClick={() => {
              for (const edit of failed) edits.discard(edit);
            }}
          >
            {texts.discardAll}
          </Button>
        </div>
      )}
      {conflict && column && (
        <Conflict
          key={`${conflict.id} ${conflict.code} ${conflict.theirs?.etag}`}
          fields={[
            {
              key: conflict.code,
              label: texts.edit(column.name || column.code, conflict.id),
              mine: conflict.text,
              theirs: editText(column, conflict.theirs?.fields[conflict.code]),
            },
          ]}
          onChoose={(mine) => void edits.settle(conflict, column, mine?.has(conflict.code) ?? false)}
          onLater={() => edits.settleLater(conflict)}
        />
      )}
    </>
  );
}
