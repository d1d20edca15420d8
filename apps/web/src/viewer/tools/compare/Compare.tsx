import { type ReactNode, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { base } from '../../../common/base.js';
import fields from '../../../common/fields.module.css';
import { shownName, useLanguage } from '../../../common/texts/language.js';
import type { PublishedMap } from '../../../common/types.js';
import { useCall } from '../../../common/useCall.js';
import type { OtherMap } from '../../map/otherMap.js';
import type { ToolContext } from '../context.js';
import tool from '../tools.module.css';
import { useToolTexts } from '../useToolTexts.js';
import classes from './compare.module.css';
import { Divider } from './Divider.js';

const keyOf = ({ project, code }: PublishedMap): string => `${project}/${code}`;

/** Another map beside this one, with a line between them that can be moved. */
export default function Compare({ map, view, language }: ToolContext): ReactNode {
  const texts = useToolTexts();
  const { texts: common, wanted } = useLanguage();
  const { data, error } = useCall<PublishedMap[]>(`${base}/pages/maps.json`);
  const [chosen, setChosen] = useState('');
  const [share, setShare] = useState(50);
  const others = (data ?? []).filter((one) => keyOf(one) !== keyOf(map));
  const other = others.find((one) => keyOf(one) === chosen);
  const nameOf = (one: PublishedMap): string => shownName(one, wanted);
  if (error) return <p role="alert">{common.unreachable}</p>;
  if (data && !others.length) return <p className={tool.hint}>{texts.noOtherMap}</p>;
  return (
    <>
      <p className={tool.hint}>{texts.compareHint}</p>
      <label className={fields.field}>
        {texts.otherMap}
        <select value={other ? chosen : ''} onChange={(event) => setChosen(event.target.value)}>
          <option value="">{texts.chooseMap}</option>
          {others.map((one) => (
            <option key={keyOf(one)} value={keyOf(one)}>
              {nameOf(one)}
              {one.project === map.project ? '' : ` · ${one.project_name || one.project}`}
            </option>
          ))}
        </select>
      </label>
      {other && view && (
        <>
          {other.attribution && <p className={classes.attribution}>{other.attribution}</p>}
          {createPortal(
            <div className={classes.compare}>
              <OtherCanvas key={keyOf(other)} other={other} view={view} language={language} share={share} />
              <Divider
                share={share}
                onMove={setShare}
                names={[map.name || map.code, nameOf(other)]}
                language={language}
              />
            </div>,
            view.frame(),
          )}
        </>
      )}
    </>
  );
}

interface OtherCanvasProps {
  other: PublishedMap;
  view: NonNullable<ToolContext['view']>;
  language: string;
  share: number;
}

/** The other map, of which the part right of the line is seen. */
function OtherCanvas({ other, view, language, share }: OtherCanvasProps): ReactNode {
  const [container, setContainer] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (!container) return;
    let shown: OtherMap | null = null;
    let isUnmounted = false;
    import('../../map/otherMap.js').then(
      ({ OtherMap }) => {
        if (!isUnmounted) shown = new OtherMap(container, view, { map: other, language });
      },
      () => {}, // without it the map stays as it is
    );
    return () => {
      isUnmounted = true;
      shown?.destroy();
    };
  }, [container, other, view, language]);
  return (
    <div
      ref={setContainer}
      className={classes.other}
      style={{ clipPath: `inset(0 0 0 ${share}%)` }}
      aria-hidden="true"
      data-testid="other-map"
    />
  );
}
