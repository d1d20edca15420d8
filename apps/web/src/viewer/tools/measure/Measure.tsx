import '@mantine/core/styles/SegmentedControl.css';
import { Button, SegmentedControl } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { IconArrowBackUp, IconTrash } from '../../../common/icons.js';
import { useLanguage } from '../../../common/texts/language.js';
import type { LonLat } from '../../map/geometry.js';
import type { ToolContext } from '../context.js';
import classes from '../tools.module.css';
import { useToolTexts } from '../useToolTexts.js';
import { areaOf, geodesicThrough, lengthOf } from './geodesy.js';
import { formatArea, formatLength } from './units.js';

type Kind = 'distance' | 'area';

/** Measures on the ellipsoid what the user points at. */
export default function Measure({ view, takePlaces }: ToolContext): ReactNode {
  const texts = useToolTexts();
  const [kind, setKind] = useState<Kind>('distance');
  const [points, setPoints] = useState<readonly LonLat[]>([]);
  useEffect(() => {
    takePlaces(({ at }) =>
      setPoints((before) => (before.at(-1)?.join() === at.join() ? before : [...before, at])),
    );
    return () => takePlaces(null);
  }, [takePlaces]);
  useEffect(() => {
    const isRing = kind === 'area' && points.length > 2;
    view?.drawMeasure(geodesicThrough(isRing ? [...points, points[0]!] : points), points, isRing);
  }, [view, points, kind]);
  useEffect(() => () => view?.drawMeasure([], [], false), [view]);
  return (
    <>
      <SegmentedControl
        fullWidth
        size="md"
        aria-label={texts.measure}
        value={kind}
        onChange={(value) => setKind(value as Kind)}
        data={[
          { value: 'distance', label: texts.distance },
          { value: 'area', label: texts.area },
        ]}
      />
      <Result kind={kind} points={points} />
      <p className={classes.hint}>{texts.measureHint}</p>
      <div className={classes.buttons}>
        <Button
          variant="light"
          h={44}
          disabled={!points.length}
          leftSection={<IconArrowBackUp size={18} />}
          onClick={() => setPoints((before) => before.slice(0, -1))}
        >
          {texts.undoPoint}
        </Button>
        <Button
          variant="default"
          h={44}
          disabled={!points.length}
          leftSection={<IconTrash size={18} />}
          onClick={() => setPoints([])}
        >
          {texts.startAgain}
        </Button>
      </div>
    </>
  );
}

function Result({ kind, points }: { kind: Kind; points: readonly LonLat[] }): ReactNode {
  const texts = useToolTexts();
  const { ui, texts: common } = useLanguage();
  const units = { ...common, ...texts };
  const length = (ofPoints: readonly LonLat[]): string => formatLength(lengthOf(ofPoints), ui, units);
  const isArea = kind === 'area';
  const hasResult = points.length > (isArea ? 2 : 1);
  return (
    <div className={classes.result} role="status">
      <strong>{!hasResult ? '—' : isArea ? formatArea(areaOf(points), ui, units) : length(points)}</strong>
      <span>
        {!hasResult
          ? texts.pointsMissing((isArea ? 3 : 2) - points.length)
          : isArea
            ? texts.perimeter(length([...points, points[0]!]))
            : points.length > 2
              ? texts.lastSegment(length(points.slice(-2)))
              : ''}
      </span>
    </div>
  );
}
