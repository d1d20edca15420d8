import type { AnswerOf, LayerDetails } from '@cartulary/client';

const draftPath = '/api/2.8/{project}/{map}/layers/{layer}/draft/';

/** Settings of a form: what a simple style or a visualization is made of. */
export type LookSettings = Readonly<Record<string, unknown>>;

/** How a layer is drawn. `css`: its CartoCSS, which is kept beside a visualization. */
export type Look =
  | { kind: 'css'; css: string }
  | { kind: 'simple' | 'visual' | 'custom'; css: string; settings: LookSettings };

/** A draft as the service tells it. */
export type StoredDraft = AnswerOf<typeof draftPath, 'get'>;

type Styled = Pick<LayerDetails, 'css_style'> & {
  style_mode?: number;
  simpleStyle?: unknown;
  visualSettings?: unknown;
  visualCustomSettings?: unknown;
};

/** The look that a layer or draft has. */
export function lookOf(styled: Styled): Look {
  const { css_style: css, style_mode, simpleStyle, visualSettings, visualCustomSettings } = styled;
  if (style_mode === 4 && visualCustomSettings)
    return { kind: 'custom', css, settings: visualCustomSettings as LookSettings };
  if (style_mode === 3 && visualSettings)
    return { kind: 'visual', css, settings: visualSettings as LookSettings };
  if (style_mode === 1 && simpleStyle) return { kind: 'simple', css, settings: simpleStyle as LookSettings };
  return { kind: 'css', css };
}

/** The change of a layer that gives it the look. */
export function changeTo(look: Look): Record<string, unknown> {
  switch (look.kind) {
    case 'visual':
      return { visualSettings: look.settings };
    case 'custom':
      return { visualCustomSettings: look.settings };
    case 'simple':
      return { simpleStyle: look.settings, visualSettings: null, visualCustomSettings: null };
    case 'css':
      return { css_style: look.css, simpleStyle: null, visualSettings: null, visualCustomSettings: null };
  }
}

/** A look as text, for comparing two. */
export const lookText = (look: Look): string =>
  look.kind === 'css' ? look.css : JSON.stringify(look.settings, null, 1);

export const isSameLook = (one: Look, other: Look): boolean =>
  one.kind === other.kind && lookText(one) === lookText(other);
