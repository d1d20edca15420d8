import type { AlongLook } from '@cartulary/cartocss';
import type { LabelLook } from '../messages.js';
import { type Paint, paintOf } from './blend.js';
import type { MaskSheet, MaskStore } from './glyph-masks.js';
import type { Distances } from './places.js';
import type { FontChain } from './text/font-chain.js';
import { plainSetting, type TextSetting, type Typesetter } from './text/typeset.js';

/** Limits: pixels per em, and halo radius in pixels of the style. */
const largestSize = 1_000;
const widestHalo = 20;

/** A size of a look. */
export interface Size {
  readonly sheet: MaskSheet;
  readonly setting: TextSetting;
}

interface Offset {
  readonly dx: number;
  readonly dy: number;
}

/** A place of a label that is tried, from its point. */
export interface LabelAttempt {
  readonly ink: Ink;
  readonly size: Size;
  readonly offset: Offset;
}

/** A look, in pixels. */
export interface Ink {
  readonly chain: FontChain;
  readonly sizes: readonly Size[];
  /** In their order: each size at all offsets. */
  readonly attempts: readonly LabelAttempt[];
  readonly distances: Distances;
  readonly along: AlongLook | undefined;
  readonly fill: Paint;
  readonly halo: Paint;
  readonly allowOverlap: boolean;
  /** The text with the letters that the look wants. */
  lettersOf(text: string): string;
}

/** undefined when none of the look's fonts is known. */
export function inkOf(
  look: LabelLook,
  scale: number,
  { typesetter, masks }: { typesetter: Typesetter; masks: MaskStore },
): Ink | undefined {
  const { faces, sizes, offsets, margin, repeatDistance, along, fill, halo, allowOverlap } = look;
  const chain = typesetter.chain(faces);
  if (!chain || !sizes.every((size) => size > 0)) return undefined;
  const radius = halo.fill[3] > 0 ? Math.min(widestHalo, Math.max(0, halo.radius)) * scale : 0;
  const inkSizes = sizes.map((size) => ({
    sheet: masks.sheet(Math.min(largestSize, size * scale), radius),
    setting: settingAt(size, look),
  }));
  const moved = offsets.map(({ dx, dy }) => ({ dx: dx * scale, dy: dy * scale }));
  const attempts: LabelAttempt[] = [];
  const ink: Ink = {
    chain,
    sizes: inkSizes,
    attempts,
    distances: { margin: margin * scale, repeat: repeatDistance * scale },
    along: along && {
      spacing: along.spacing * scale,
      tolerance: along.tolerance * scale,
      maxTurn: along.maxTurn,
      minLength: along.minLength * scale,
    },
    fill: paintOf(fill),
    halo: paintOf(halo.fill),
    allowOverlap,
    lettersOf: letterCases[look.letters],
  };
  attempts.push(...inkSizes.flatMap((size) => moved.map((offset) => ({ ink, size, offset }))));
  return ink;
}

const letterCases: Readonly<Record<LabelLook['letters'], (text: string) => string>> = {
  none: (text) => text,
  uppercase: (text) => text.toUpperCase(),
  lowercase: (text) => text.toLowerCase(),
};

/** The setting of a look's texts at a size in pixels of the style. */
function settingAt(size: number, look: LabelLook): TextSetting {
  const { wrapWidth, wrapBefore, characterSpacing, lineSpacing } = look;
  if (!wrapWidth && !characterSpacing && !lineSpacing) return plainSetting;
  return {
    wrapWidth: wrapWidth / size,
    wrapBefore,
    characterSpacing: characterSpacing / size,
    lineSpacing: lineSpacing / size,
  };
}
