import { type ReactNode, useId } from 'react';
import fields from '../../../common/fields.module.css';
import classes from './import.module.css';
import type { ReadingChoice } from './importing.js';
import { useImportTexts } from './useImportTexts.js';

const encodings = ['utf-8', 'windows-1251', 'windows-1252', 'cp866', 'koi8-r', 'gbk', 'shift_jis'];

interface ReadingFieldsProps {
  reading: ReadingChoice;
  /** Whether the file is an image: it has no texts, and lies in an extent. */
  isImage: boolean;
  /** Whether the file may have several sheets or layers. */
  hasSheets?: boolean;
  onChange: (reading: ReadingChoice) => void;
}

/** Sheet, encoding and projection, or projection and extent of an image, where the file is not read as it was meant. */
export function ReadingFields(props: ReadingFieldsProps): ReactNode {
  const { reading, isImage, hasSheets = false, onChange } = props;
  const texts = useImportTexts();
  const [sheetList, encodingList, projectionList] = [useId(), useId(), useId()];
  const parts = [
    ...(hasSheets ? ([['sheet', texts.sheet, sheetList, []]] as const) : []),
    ...(isImage
      ? []
      : ([['encoding', texts.encoding, encodingList, encodings.map((one) => [one])]] as const)),
    ['srs', texts.projection, projectionList, Object.entries(texts.projections)],
  ] as const;
  return (
    <div className={classes.reading}>
      {parts.map(([key, label, list, known]) => (
        <label key={key} className={fields.field}>
          <span>{label}</span>
          <input
            value={reading[key]}
            list={list}
            placeholder={texts.asFound}
            spellCheck={false}
            onChange={(event) =>
              onChange({
                ...reading,
                [key]: event.currentTarget.value,
                // In another encoding the columns may have other names, in another sheet they are others.
                columns: key === 'srs' ? reading.columns : [],
              })
            }
          />
          <datalist id={list}>
            {known.map(([value, name]) => (
              <option key={value} value={value} label={name} />
            ))}
          </datalist>
        </label>
      ))}
      {isImage && (
        <label className={fields.field}>
          <span>{texts.box}</span>
          <input
            value={reading.box}
            placeholder={texts.asFound}
            spellCheck={false}
            onChange={(event) => onChange({ ...reading, box: event.currentTarget.value })}
          />
          <small className={fields.hint}>{texts.boxHint}</small>
        </label>
      )}
    </div>
  );
}
