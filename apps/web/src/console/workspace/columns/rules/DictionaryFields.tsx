import type { ReactNode } from 'react';
import fields from '../../../../common/fields.module.css';
import { useLanguage } from '../../../../common/texts/language.js';
import { clientOf } from '../../../client.js';
import { useLoaded } from '../../../useLoaded.js';
import { useColumnTexts } from '../useColumnTexts.js';
import type { RuleFieldsProps } from './ruleField.js';
import { canHaveRules, type DictionaryPlace, type MatchType, matchTypes } from './rules.js';

interface Named {
  code: string;
  name: string;
}

/** The column of a layer whose values are allowed or suggested. */
export function DictionaryFields({ project, column, rule, onChange }: RuleFieldsProps): ReactNode {
  const texts = useColumnTexts();
  const place = rule.dictionary ?? { map: '', layer: '', column: '' };
  const { maps, layers, columns } = useOffered(project, place, {
    type: column.type,
    isStrict: rule.kind === 'dictionary',
  });
  const set = (dictionary: DictionaryPlace): void => onChange({ ...rule, dictionary });
  return (
    <>
      <Select
        label={texts.dictionaryMap}
        options={maps}
        value={place.map}
        onChange={(map) => set({ map, layer: '', column: '' })}
      />
      {place.map && (
        <Select
          label={texts.dictionaryLayer}
          options={layers}
          value={place.layer}
          onChange={(layer) => set({ ...place, layer, column: '' })}
        />
      )}
      {place.layer && (
        <Select
          label={texts.dictionaryColumn}
          options={columns}
          value={place.column}
          onChange={(code) => set({ ...place, column: code })}
        />
      )}
      {rule.kind === 'hint' && (
        <>
          <Select
            label={texts.match}
            options={matchTypes.map((code) => ({ code, name: texts.matches[code] }))}
            value={rule.match}
            onChange={(match) => onChange({ ...rule, match: match as MatchType })}
          />
          <label className={fields.field}>
            <span>{texts.delimiter}</span>
            <input
              value={rule.delimiter}
              maxLength={20}
              onChange={(event) => onChange({ ...rule, delimiter: event.currentTarget.value })}
            />
          </label>
        </>
      )}
    </>
  );
}

interface SelectProps {
  label: string;
  options: readonly Named[];
  value: string;
  onChange: (code: string) => void;
}

const Select = ({ label, options, value, onChange }: SelectProps): ReactNode => (
  <label className={fields.field}>
    <span>{label}</span>
    <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {!options.some(({ code }) => code === value) && <option value={value} />}
      {options.map(({ code, name }) => (
        <option key={code} value={code}>
          {name || code}
        </option>
      ))}
    </select>
  </label>
);

/** The type that values are compared as. */
const kindOf = (type: string): string => (type === 'text' ? 'string' : type);

/** The maps of the project, the layers of the chosen one, and the columns of that layer whose values compare with the column. */
function useOffered(
  project: string,
  { map, layer }: DictionaryPlace,
  of: { type: string; isStrict: boolean },
) {
  const { ui: lng } = useLanguage();
  const client = clientOf(project);
  const maps = useLoaded<readonly Named[]>(project, (signal) =>
    client.get('/api/2.8/{project}/maps/', { params: { query: { lng } }, signal }),
  );
  const layers = useLoaded<readonly Named[]>(`${map} ${of.isStrict}`, async (signal) => {
    if (!map) return [];
    const params = { path: { map }, query: { type: 'full', lng } } as const;
    const tree = await client.get('/api/2.8/{project}/{map}/layers/', { params, signal });
    // The result of a query can change without a write that could be checked.
    const types = of.isStrict ? ['layer'] : ['layer', 'virtual', 'material'];
    return tree.filter(({ type }) => types.includes(type));
  });
  const columns = useLoaded<readonly Named[]>(`${map} ${layer} ${of.type}`, async (signal) => {
    if (!layer) return [];
    const params = { path: { map, layer }, query: { lng } };
    const read = await client.get('/api/2.8/{project}/{map}/layers/{layer}/structure/', { params, signal });
    return read.filter((one) => canHaveRules(one) && kindOf(one.type) === kindOf(of.type));
  });
  return { maps: maps.value ?? [], layers: layers.value ?? [], columns: columns.value ?? [] };
}
