import type { ReactNode } from 'react';
import { address } from '../../common/base.js';
import { useTexts } from '../../common/texts/language.js';
import { useCall } from '../../common/useCall.js';
import type { TreeItem } from '../tree.js';
import type { MapAddress } from '../types.js';
import classes from './Legends.module.css';
import { type Classificator, type Legend, legendParts, shownEntries } from './legend.js';

interface LegendsProps {
  map: MapAddress;
  /** Visible layers, topmost first. */
  layers: readonly TreeItem[];
  language: string;
}

/** The legends of the visible layers that have a visualization. */
export function Legends({ map, layers, language }: LegendsProps): ReactNode {
  const texts = useTexts();
  const shown = layers.filter((layer) => (layer.style_mode ?? 0) >= 3);
  if (!shown.length) return null;
  return (
    // The arrow keys scroll the list.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className={classes.legends} aria-label={texts.legend} tabIndex={0} lang={language}>
      {shown.map((layer) => (
        <LayerLegend key={layer.id} map={map} layer={layer} language={language} />
      ))}
    </section>
  );
}

function LayerLegend({
  map,
  layer,
  language,
}: Omit<LegendsProps, 'layers'> & { layer: TreeItem }): ReactNode {
  const texts = useTexts();
  const parts = legendParts(map, layer.code);
  const { data: legend } = useCall<Legend>(address(parts, { lng: language }));
  if (!legend?.showLegend) return null;
  const name = layer.name || layer.code;
  const entries = shownEntries(legend);
  if (!entries.length) return null;
  return (
    <figure className={classes.legend} aria-label={texts.legendOf(name)}>
      <figcaption>
        <strong>{name}</strong>
        {legend.showLegendName && legend.name !== name && <span>{legend.name}</span>}
      </figcaption>
      <ul>
        {entries.map((entry) => (
          <Entry key={entry.place} entry={entry} legend={legend} language={language}>
            <Swatch parts={[...parts, String(entry.place)]} size={legend.swatchSize} />
          </Entry>
        ))}
      </ul>
    </figure>
  );
}

const categories = 2;

function Entry({
  entry,
  legend,
  language,
  children,
}: {
  entry: Classificator;
  legend: Legend;
  language: string;
  children: ReactNode;
}): ReactNode {
  const texts = useTexts();
  const { label, count } = entry;
  const text = label ?? (legend.type === categories ? texts.others : texts.noData);
  return (
    <li>
      {children}
      <span className={classes.label}>{text}</span>
      {legend.showValues && count !== null && (
        <span className={classes.count} title={texts.objects(count)}>
          {count.toLocaleString(language)}
        </span>
      )}
    </li>
  );
}

/** Maximum width of a sample in CSS pixels. */
const maxSampleWidthPx = 64;

/** The sample of a class, drawn by the service with the style of the map. */
function Swatch({ parts, size }: { parts: readonly string[]; size: number }): ReactNode {
  const width = Math.min(maxSampleWidthPx, size);
  // Double resolution for screens of double density.
  const src = address([...parts, 'icon'], { size: Math.min(512, 2 * width) });
  return <img className={classes.swatch} src={src} width={width} height={width} alt="" loading="lazy" />;
}
