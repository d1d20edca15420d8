import {
  readSimpleStyle,
  renameLayerInStyle,
  type SimpleStyle,
  SimpleStyleFault,
  simpleCss,
} from '@cartulary/cartocss';
import { type Column, hasValues } from '@cartulary/columns';
import { badRequest } from '@cartulary/errors';
import type { Container } from '../../containers/containers.js';

import { checkStyle } from './style.js';

type Styled = Pick<Container, 'code' | 'css_style' | 'style_mode' | 'simple_style'> & {
  columns: readonly Pick<Column, 'code' | 'type'>[];
};
type StyleFields = Pick<Container, 'css_style' | 'style_mode' | 'simple_style'>;

interface StyleInput {
  css_style?: string;
  simpleStyle?: Record<string, unknown> | null;
}

/** `style_mode`: 0 not set, 1 simple style, 2 CartoCSS. */
const [notSet, simple, written] = [0, 1, 2];

/**
 * The style of a layer after a change, with its new code. CartoCSS of the caller ends a simple style; a simple style produces
 * the CartoCSS. Both at once are accepted only unchanged from a read. Throws 400 with the key, `style_invalid`.
 */
export function changedStyle(
  before: Styled,
  { css_style, simpleStyle }: StyleInput,
  code: string,
  icons: ReadonlyMap<string, string>,
): StyleFields {
  const isNew = css_style !== undefined && css_style !== before.css_style;
  if (simpleStyle) {
    if (isNew)
      throw badRequest('Give css_style or simpleStyle, not both', {
        parameters: ['css_style', 'simpleStyle'],
      });
    const style = simpleStyleOf(simpleStyle, before, icons);
    const made = simpleCss(style, code);
    checkStyle(made, { code, columns: before.columns }, icons);
    return { css_style: made, style_mode: simple!, simple_style: style };
  }
  if (css_style !== undefined) checkStyle(css_style, { code, columns: before.columns }, icons);
  const ends = isNew || simpleStyle === null;
  return {
    css_style: css_style ?? renameLayerInStyle(before.css_style, before.code, code),
    style_mode: isNew
      ? css_style === ''
        ? notSet!
        : written!
      : ends && before.style_mode === simple
        ? written!
        : before.style_mode,
    simple_style: ends ? null : before.simple_style,
  };
}

/** The complete simple style. Throws 400 with the wrong key, also for an unknown column or icon. */
function simpleStyleOf(
  given: Record<string, unknown>,
  { columns }: Styled,
  icons: ReadonlyMap<string, string>,
): SimpleStyle {
  const style = readStyle(given);
  const { marker, label } = style;
  if (marker?.icon && !icons.has(marker.icon))
    throw wrong('marker.icon', 'the name of an icon of the project');
  const hasOwn = columns.some(({ code }) => code !== 'svc_id' && code !== 'geom');
  const isThere = columns.some((column) => column.code === label?.column && hasValues(column));
  if (label && hasOwn && !isThere) throw wrong('label.column', 'the code of a column of the layer');
  return style;
}

function readStyle(given: Record<string, unknown>): SimpleStyle {
  try {
    return readSimpleStyle(given);
  } catch (error) {
    throw error instanceof SimpleStyleFault ? wrong(error.key, error.expected) : error;
  }
}

const wrong = (key: string, expected: string): Error =>
  badRequest(`simpleStyle.${key} is ${expected}`, { parameters: [`simpleStyle.${key}`] });
