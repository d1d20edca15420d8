import type { ReactNode } from 'react';
import { address } from '../common/base.js';
import { useTexts } from '../common/language.js';
import { useCall } from '../common/useCall.js';
import classes from './Legends.module.css';
import type { MapAddress } from './objects.js';
import type { TreeItem } from './tree.js';

/** A legend as the service tells it. */
interface Legend {
  name: string;
  showLegend: boolean;
  showLegendName: boolean;
  showValues: boolean;
  type: number;
  border: { color: string; width: number } | null;
  classificators: Classificator[];
}

interface Classificator {
  value: unknown;
  fill: string;
  label: string | null;
  /** Objects of the class; null: of a part of every object. */
  count: number | null;
  size?: number;
  opacity?: number;
  hidden?: boolean;
}

interface LegendsProps {
  map: MapAddress;
  /** Those that are on, the topmost first. */
  layers: readonly TreeItem[];
  language: string;
}

/** What the visualizations among the layers that are on mean. */
export function Legends({ map, layers, language }: LegendsProps): ReactNode {
  const texts = useTexts();
  const shown = layers.filter((layer) => (layer.style_mode ?? 0) >= 3);
  if (!shown.length) return null;
  return (
    // Whoever has no mouse scrolls it by the arrow keys.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className={classes.legends} aria-label={texts.legend} tabIndex={0} lang={language}>
      {shown.map((layer) => (
        <LayerLegend key={layer.id} map={map} layer={layer} language={language} />
      ))}
    </section>
  );
}

function LayerLegend({
  map: { project, map },
  layer,
  language,
}: Omit<LegendsProps, 'layers'> & { layer: TreeItem }): ReactNode {
  const texts = useTexts();
  const parts = ['api', '2.8', project, map, 'layers', layer.code, 'legend'];
  const { data: legend } = useCall<Legend>(address(parts, { lng: language }));
  if (!legend?.showLegend) return null;
  const name = layer.name || layer.code;
  const entries = legend.classificators.filter(({ count, hidden }) => count !== 0 && !hidden);
  if (!entries.length) return null;
  return (
    <figure className={classes.legend} aria-label={texts.legendOf(name)}>
      <figcaption>
        <strong>{name}</strong>
        {legend.showLegendName && legend.name !== name && <span>{legend.name}</span>}
      </figcaption>
      <ul>
        {entries.map((entry) => (
          <Entry key={`${entry.fill}/${entry.label}`} entry={entry} legend={legend} language={language} />
        ))}
      </ul>
    </figure>
  );
}

const bubbles = 3;
const categories = 2;

function Entry({
  entry,
  legend,
  language,
}: {
  entry: Classificator;
  legend: Legend;
  language: string;
}): ReactNode {
  const texts = useTexts();
  const { label, count } = entry;
  const text = label ?? (legend.type === categories ? texts.others : texts.noData);
  return (
    <li>
      <Swatch entry={entry} legend={legend} />
      <span className={classes.label}>{text}</span>
      {legend.showValues && count !== null && (
        <span className={classes.count} title={texts.objects(count)}>
          {count.toLocaleString(language)}
        </span>
      )}
    </li>
  );
}

/** The sample of a class: a round one in its size for bubbles, else a field. */
function Swatch({
  entry: { fill, size = 12, opacity = 1 },
  legend: { type, border },
}: {
  entry: Classificator;
  legend: Legend;
}): ReactNode {
  const isRound = type === bubbles;
  const width = isRound ? Math.min(64, size) : 22;
  const height = isRound ? width : 15;
  const stroke = border ? Math.min(2, border.width) : 0;
  const paint = { fill, fillOpacity: opacity, stroke: border?.color ?? 'none', strokeWidth: stroke };
  return (
    <svg
      className={classes.swatch}
      width={width}
      height={height}
      aria-hidden="true"
      data-round={isRound || undefined}
    >
      {isRound ? (
        <circle cx={width / 2} cy={width / 2} r={Math.max(0.5, (width - stroke) / 2)} {...paint} />
      ) : (
        <rect
          x={stroke / 2}
          y={stroke / 2}
          width={width - stroke}
          height={height - stroke}
          rx={3}
          {...paint}
        />
      )}
    </svg>
  );
}
