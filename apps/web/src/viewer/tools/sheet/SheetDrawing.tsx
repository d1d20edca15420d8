import type { ReactNode } from 'react';
import type { MapPicture } from '../../map/picture.js';
import { roundBelow } from '../../panels/ScaleBar.js';
import { arrange, legendFont, type PlacedEntry, titleFont, wrapped } from './arrange.js';
import type { LegendPart } from './legends.js';

export interface SheetContent {
  title: string;
  picture: MapPicture;
  legends: readonly LegendPart[];
  /** Joined by a point. Empty parts are left out. */
  attribution: readonly string[];
  language: string;
  units: { km: string; m: string };
}

/** Width of the drawing in its own units; the height follows from the map. */
export const sheetWidth = 1000;
const margin = 30;
const inner = sheetWidth - 2 * margin;
const text = '#1d2423';
const quiet = '#5d6866';
/** Longest scale bar, units of the drawing. */
const scaleLength = 200;
const lineHeight = 42;

/** The sheet as SVG, which the browser prints sharply and the picture is made of. */
export function SheetDrawing({ content }: { content: SheetContent }): ReactNode {
  const { title, picture, legends, attribution } = content;
  const lines = title ? wrapped(title, inner, titleFont) : [];
  const mapTop = margin + lines.length * lineHeight + (lines.length ? 6 : 0);
  const mapHeight = (inner * picture.height) / picture.width;
  const footTop = mapTop + mapHeight;
  const { entries, height: legendHeight } = arrange(legends, inner);
  const legendTop = footTop + 64;
  const height = legendTop + legendHeight + margin / 2;
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${sheetWidth} ${height}`}
      width={sheetWidth}
      height={height}
      role="img"
      aria-label={title}
      fontFamily="system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif"
    >
      <rect width={sheetWidth} height={height} fill="#fff" />
      {lines.map((line, i) => (
        <text
          key={line}
          x={margin}
          y={margin + 28 + i * lineHeight}
          fontSize={32}
          fontWeight={600}
          fontFamily="Charter, 'Noto Serif', Georgia, 'Liberation Serif', serif"
          fill={text}
        >
          {line}
        </text>
      ))}
      <image href={picture.url} x={margin} y={mapTop} width={inner} height={mapHeight} />
      <rect x={margin} y={mapTop} width={inner} height={mapHeight} fill="none" stroke="#8b8a83" />
      <Scale content={content} y={footTop + 18} />
      <text x={sheetWidth - margin} y={footTop + 28} fontSize={15} textAnchor="end" fill={quiet}>
        {attribution.filter(Boolean).join(' · ')}
      </text>
      {entries.map((entry) => (
        <Entry key={`${entry.x}/${entry.y}`} entry={entry} left={margin} top={legendTop} />
      ))}
    </svg>
  );
}

/** The scale bar: it stays true when the sheet is enlarged or printed smaller. */
function Scale({ content, y }: { content: SheetContent; y: number }): ReactNode {
  const { picture, language, units } = content;
  const metresPerUnit = (picture.metresPerPixel * picture.width) / inner;
  const metres = roundBelow(metresPerUnit * scaleLength);
  const length = metres / metresPerUnit;
  const number = new Intl.NumberFormat(language).format(metres >= 1000 ? metres / 1000 : metres);
  return (
    <g fill="none" stroke={text} strokeWidth={2}>
      <path d={`M${margin} ${y}v10h${length}v-10`} />
      <text x={margin + length + 12} y={y + 11} fontSize={15} fill={text} stroke="none">
        {number} {metres >= 1000 ? units.km : units.m}
      </text>
    </g>
  );
}

function Entry({ entry, left, top }: { entry: PlacedEntry; left: number; top: number }): ReactNode {
  const { x, y, lines, isTitle, icon } = entry;
  const textLeft = left + x + (isTitle ? 0 : 36);
  return (
    <>
      {icon && <image href={icon} x={left + x} y={top + y} width={26} height={26} />}
      {lines.map((line, i) => (
        <text
          key={line}
          x={textLeft}
          y={top + y + 19 + i * 20}
          fontSize={legendFont.size}
          fontWeight={isTitle ? 600 : 400}
          fill={text}
        >
          {line}
        </text>
      ))}
    </>
  );
}
