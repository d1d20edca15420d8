import { Button, Loader } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import fields from '../../../common/fields.module.css';
import { IconDownload, IconPrinter } from '../../../common/icons.js';
import { useLanguage } from '../../../common/texts/language.js';
import type { MapPicture } from '../../map/picture.js';
import type { ToolContext } from '../context.js';
import tool from '../tools.module.css';
import { useToolTexts } from '../useToolTexts.js';
import { type LegendPart, readLegends } from './legends.js';
import { pngOf, saveFile } from './png.js';
import { type SheetContent, SheetDrawing } from './SheetDrawing.js';
import classes from './sheet.module.css';

/** The map as it is seen, with title, scale, legend and attribution: on paper, as PDF, as a picture. */
export default function Sheet(context: ToolContext): ReactNode {
  const { map, language } = context;
  const texts = useToolTexts();
  const { ui, texts: common } = useLanguage();
  const [title, setTitle] = useState(map.name || map.code);
  const [hasLegend, setHasLegend] = useState(true);
  const { picture, legends, state, take } = usePicture(context);
  const drawing = useRef<HTMLDivElement>(null);
  const content: SheetContent | null = picture && {
    ...{ title, picture, language: ui, units: common },
    legends: hasLegend ? legends : [],
    attribution: [map.attribution, new Date().toLocaleDateString(ui, { dateStyle: 'long' })],
  };
  const save = async (): Promise<void> => {
    const svg = drawing.current?.querySelector('svg');
    if (svg) saveFile(await pngOf(svg), `${map.code}.png`);
  };
  return (
    <div className={fields.form}>
      <label className={fields.field}>
        {texts.title}
        <input value={title} maxLength={200} onChange={(event) => setTitle(event.target.value)} />
      </label>
      <label className={fields.check}>
        <input type="checkbox" checked={hasLegend} onChange={(event) => setHasLegend(event.target.checked)} />
        {common.legend}
      </label>
      <div ref={drawing} className={classes.preview} aria-busy={state === 'drawing'} lang={language}>
        {content && <SheetDrawing content={content} />}
        {state === 'drawing' && (
          <p role="status">
            <Loader size="xs" /> {common.drawing}
          </p>
        )}
        {state === 'failed' && <p role="alert">{common.failed}</p>}
      </div>
      <p className={fields.hint}>{texts.sheetHint}</p>
      <Actions isReady={content !== null} isDrawing={state === 'drawing'} onSave={save} onDraw={take} />
      {content &&
        createPortal(
          <div
            className={classes.paper}
            data-sheet
            data-wide={content.picture.width > content.picture.height}
            aria-hidden
          >
            <SheetDrawing content={content} />
          </div>,
          document.body,
        )}
    </div>
  );
}

interface ActionsProps {
  isReady: boolean;
  isDrawing: boolean;
  onSave: () => Promise<void>;
  onDraw: () => void;
}

function Actions({ isReady, isDrawing, onSave, onDraw }: ActionsProps): ReactNode {
  const texts = useToolTexts();
  return (
    <div className={tool.buttons}>
      <Button
        h={44}
        disabled={!isReady}
        leftSection={<IconPrinter size={18} />}
        onClick={() => window.print()}
      >
        {texts.print}
      </Button>
      <Button
        h={44}
        variant="light"
        disabled={!isReady}
        leftSection={<IconDownload size={18} />}
        onClick={() => void onSave()}
      >
        {texts.savePicture}
      </Button>
      <Button h={44} variant="default" disabled={isDrawing} onClick={onDraw}>
        {texts.drawAgain}
      </Button>
    </div>
  );
}

/** The picture of the map and its legends: taken when the tool opens, and again when the user wants so. */
function usePicture({ view, address, layers, language }: ToolContext) {
  const [picture, setPicture] = useState<MapPicture | null>(null);
  const [legends, setLegends] = useState<readonly LegendPart[]>([]);
  const [state, setState] = useState<'drawing' | 'drawn' | 'failed'>('drawing');
  const [turn, setTurn] = useState(0);
  const latest = useRef(layers);
  latest.current = layers;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn takes a new picture
  useEffect(() => {
    if (!view) return;
    let isOld = false;
    setState('drawing');
    Promise.all([view.takePicture(), readLegends(address, latest.current, language)]).then(
      ([taken, read]) => {
        if (isOld) return;
        setPicture(taken);
        setLegends(read);
        setState('drawn');
      },
      () => !isOld && setState('failed'),
    );
    return () => {
      isOld = true;
    };
  }, [view, address, language, turn]);
  return { picture, legends, state, take: () => setTurn((before) => before + 1) };
}
