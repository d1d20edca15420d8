import { Button, Loader } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { Dialog } from '../../../common/Dialog.js';
import fields from '../../../common/fields.module.css';
import { useLanguage, useTexts } from '../../../common/texts/language.js';
import { Conflict } from '../inspector/Conflict.js';
import { ColumnFields } from './ColumnFields.js';
import { isQuery, isSystem, languagesOf, nameOf } from './columns.js';
import { conflictFields } from './conflictFields.js';
import { FormatFields } from './FormatFields.js';
import { TypeChange } from './TypeChange.js';
import { type ColumnForm, type ColumnFormProps, useColumnForm } from './useColumnForm.js';
import { useColumnTexts } from './useColumnTexts.js';
import { useEmptyCount, useLoss } from './useLoss.js';

/** The dialog that adds or changes a column. */
export function ColumnDialog(props: ColumnFormProps): ReactNode {
  const { column, onClose } = props;
  const texts = useColumnTexts();
  const common = useTexts();
  const form = useColumnForm(props);
  return (
    <Dialog title={column ? texts.columnTitle(nameOf(column)) : texts.newColumn} onClose={onClose}>
      {form.draft ? (
        <LoadedForm {...props} form={{ ...form, draft: form.draft }} />
      ) : (
        <p role={form.problem ? 'alert' : 'status'}>
          {form.problem?.text ?? (
            <>
              <Loader size="sm" /> {common.loading}
            </>
          )}
        </p>
      )}
    </Dialog>
  );
}

function LoadedForm(props: ColumnFormProps & { form: ColumnForm }): ReactNode {
  const { workspace, item, columns, column, form } = props;
  const texts = useColumnTexts();
  const { ui } = useLanguage();
  const { draft, stored } = form;
  const isFixed = isQuery(item) || (column !== null && isSystem(column));
  const loss = useLoss({ workspace, item, column, draft, stored });
  const emptyCount = useEmptyCount({ workspace, item, column, draft, stored });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (loss !== 'counting') void form.save();
  };
  const lost = loss && loss !== 'counting' ? loss.lost : 0;
  return (
    <>
      <form className={fields.form} onSubmit={submit}>
        <ColumnFields
          form={form}
          columns={columns.list}
          column={column}
          isFixed={isFixed}
          emptyCount={emptyCount}
          languages={languagesOf(workspace, ui)}
        />
        <TypeChange loss={loss} />
        <FormatFields form={form} />
        <p className={fields.problem} role="alert">
          {form.problem && form.problem.field === null ? form.problem.text : ''}
        </p>
        <div className={fields.buttons}>
          <Button variant="default" size="md" onClick={form.giveUp}>
            {texts.cancel}
          </Button>
          <Button
            type="submit"
            size="md"
            color={lost ? 'red.9' : undefined}
            loading={form.isBusy}
            disabled={loss === 'counting'}
          >
            {lost ? texts.saveAndLose(lost) : column ? texts.save : texts.make}
          </Button>
        </div>
      </form>
      {form.theirs && stored && (
        <Conflict
          fields={conflictFields(
            { base: stored, mine: draft, theirs: form.theirs.draft },
            { texts, columns: columns.list },
          )}
          onChoose={form.settle}
          onLater={form.settleLater}
        />
      )}
    </>
  );
}
