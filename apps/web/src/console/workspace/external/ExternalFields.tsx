import type { InputHTMLAttributes, ReactNode } from 'react';
import fields from '../../../common/fields.module.css';
import type { ExternalForm } from './externalSource.js';
import { useExternalTexts } from './useExternalTexts.js';

interface ExternalFieldsProps {
  form: ExternalForm;
  canEdit?: boolean;
  /** Id of the text that tells what is wrong. */
  problem: string;
  onChange: (form: ExternalForm) => void;
}

interface LineProps {
  label: string;
  hint?: string;
  value: string;
  canEdit: boolean;
  onChange: (value: string) => void;
  /** Attributes of the field of its own. */
  field?: InputHTMLAttributes<HTMLInputElement>;
}

/** A field of one line. */
const Line = ({ label, hint, value, canEdit, onChange, field }: LineProps): ReactNode => (
  <label className={fields.field}>
    <span>{label}</span>
    <input
      value={value}
      readOnly={!canEdit}
      maxLength={1000}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...field}
    />
    {hint && <small className={fields.hint}>{hint}</small>}
  </label>
);

/** The fields of where the pictures of a layer come from. */
export function ExternalFields({ form, canEdit = true, problem, onChange }: ExternalFieldsProps): ReactNode {
  const texts = useExternalTexts();
  const line = (key: 'url' | 'layers' | 'maxZoom' | 'attribution') => ({
    label: texts[key],
    value: form[key],
    canEdit,
    onChange: (value: string) => onChange({ ...form, [key]: value }),
  });
  const plain = { required: true, spellCheck: false, autoCapitalize: 'none' } as const;
  return (
    <>
      <label className={fields.field}>
        <span>{texts.type}</span>
        <select
          value={form.type}
          disabled={!canEdit}
          onChange={(event) => onChange({ ...form, type: event.currentTarget.value as ExternalForm['type'] })}
        >
          {Object.entries(texts.types).map(([type, label]) => (
            <option key={type} value={type}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <Line
        {...line('url')}
        hint={texts.urlHints[form.type]}
        field={{ ...plain, inputMode: 'url', maxLength: 2000, 'aria-describedby': problem }}
      />
      {form.type === 'wms' ? (
        <Line {...line('layers')} hint={texts.layersHint} field={plain} />
      ) : (
        <Line {...line('maxZoom')} field={{ type: 'number', min: 0, max: 24, placeholder: '24' }} />
      )}
      <Line {...line('attribution')} />
      <label className={fields.check}>
        <input
          type="checkbox"
          checked={form.isDrawn}
          disabled={!canEdit}
          onChange={(event) => onChange({ ...form, isDrawn: event.currentTarget.checked })}
        />
        <span>{texts.fetch}</span>
      </label>
      <p className={fields.hint}>{texts.fetchHint}</p>
    </>
  );
}
