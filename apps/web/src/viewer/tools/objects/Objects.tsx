import { type ReactNode, useEffect, useState } from 'react';
import fields from '../../../common/fields.module.css';
import { useTexts } from '../../../common/texts/language.js';
import { columnsOf, hasObjects } from '../../objects.js';
import type { ColumnInfo } from '../../types.js';
import type { ToolContext } from '../context.js';
import tool from '../tools.module.css';
import { useToolTexts } from '../useToolTexts.js';
import { FilterForm } from './FilterForm.js';
import { ObjectList } from './ObjectList.js';

/** The objects of a layer that lie in view, and the filter of the layer. */
export default function Objects(context: ToolContext): ReactNode {
  const common = useTexts();
  const texts = useToolTexts();
  const layers = context.layers.filter(hasObjects);
  const [wanted, setWanted] = useState<string | null>(null);
  const layer = layers.find(({ code }) => code === wanted) ?? layers[0];
  const columns = useColumns(context, layer?.code ?? null);
  if (!layer) return <p className={tool.hint}>{texts.noLayerWithObjects}</p>;
  return (
    <>
      <div className={fields.form}>
        <label className={fields.field}>
          {common.layer}
          <select value={layer.code} onChange={(event) => setWanted(event.target.value)}>
            {layers.map(({ id, code, name }) => (
              <option key={id} value={code}>
                {name || code}
              </option>
            ))}
          </select>
        </label>
        {columns && <FilterForm key={layer.code} context={context} layer={layer} columns={columns} />}
      </div>
      {columns && <ObjectList key={layer.code} context={context} layer={layer} columns={columns} />}
    </>
  );
}

/** The columns of a layer; null until they are known. */
function useColumns({ address, language }: ToolContext, layer: string | null): readonly ColumnInfo[] | null {
  const [known, setKnown] = useState<{ of: string; columns: readonly ColumnInfo[] } | null>(null);
  useEffect(() => {
    let isOld = false;
    if (layer !== null)
      columnsOf(address, layer, language).then(
        (columns) => !isOld && setKnown({ of: layer, columns }),
        () => !isOld && setKnown({ of: layer, columns: [] }),
      );
    return () => {
      isOld = true;
    };
  }, [address, layer, language]);
  return known && known.of === layer ? known.columns : null;
}
