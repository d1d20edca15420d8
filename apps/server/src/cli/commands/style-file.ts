import { CommandFailure, ServerRefusal } from '../failure.js';
import { readText } from './input.js';

/** A style in the form of a file. */
export interface StyleFile {
  path: string;
  text: string;
  /** Kind of the style in words. */
  kind: string;
  /** The properties of the body of a map or layer. */
  body: Record<string, unknown>;
}

/** Keys of a layer that describe its style. A file may contain them by name. */
const keys = {
  css_style: 'CartoCSS',
  simpleStyle: 'simple style',
  visualSettings: 'visualization',
  visualCustomSettings: 'custom visualization',
  vectorSettings: 'vector settings',
  render_settings: 'rendering settings',
  render_type: 'rendering',
} as const;

const geoJsonTypes = new Set([
  'Feature',
  'FeatureCollection',
  'GeometryCollection',
  ...['Point', 'LineString', 'Polygon'].flatMap((type) => [type, `Multi${type}`]),
]);

/**
 * Parses a style: CartoCSS, or as JSON a simple style, the settings of a visualization, or an object with the
 * keys of the interface.
 */
export async function readStyleFile(path: string, of: 'map' | 'layer'): Promise<StyleFile> {
  const text = (await readText(path)).replace(/^\ufeff/, '');
  if (!/^\s*\{/.test(text)) return { path, text, kind: keys.css_style, body: { css_style: text } };
  const settings = parse(path, text);
  if (geoJsonTypes.has(String(settings.type)))
    throw new CommandFailure(
      `${path} holds data, not a style`,
      'Data are imported by: cartulary import <map> <layer> <file>.',
    );
  if (of === 'map' && !('css_style' in settings))
    throw new CommandFailure(
      `${path} is the style of a layer`,
      'The style of a map is CartoCSS. Name the layer: --layer <layer>.',
    );
  const named = Object.keys(keys).filter((key) => key in settings);
  if (named.length) {
    const body = Object.fromEntries(named.map((key) => [key, settings[key]]));
    return { path, text, kind: named.map((key) => keys[key as keyof typeof keys]).join(', '), body };
  }
  const key =
    typeof settings.type === 'number'
      ? 'visualSettings'
      : typeof settings.type === 'string'
        ? 'visualCustomSettings'
        : 'simpleStyle';
  return { path, text, kind: keys[key], body: { [key]: settings } };
}

function parse(path: string, text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const at = Number(/position (\d+)/.exec(message)?.[1] ?? Number.NaN);
    const before = text.slice(0, Number.isNaN(at) ? text.length : at).split('\n');
    const where = `${path}:${before.length}:${before.at(-1)!.length + 1}`;
    throw new CommandFailure(`${where}: the JSON is not correct (${message.replace(/ in JSON at.*$/, '')})`);
  }
}

interface Problem {
  line: number;
  column: number;
  message: string;
}

/** Codes of errors about the content of the file. */
const ofContent = new Set<string>(['style_invalid', 'bad_request', 'value_invalid', 'too_large']);

/** Saves a style. Each error of the style is printed with its line of the file and a marker. */
export async function withStyle<T>(style: StyleFile | undefined, save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    const problems =
      error instanceof ServerRefusal && style ? (error.data.problems as Problem[] | undefined) : [];
    if (!style || !(error instanceof ServerRefusal) || !ofContent.has(error.code)) throw error;
    const { status, code, data } = error;
    if (!problems?.length || typeof style.body.css_style !== 'string')
      throw new ServerRefusal(status, code, `${style.path}: ${error.message}`, data);
    // In JSON the lines refer to the text inside.
    const lines = style.body.css_style.split(/\r\n|\r|\n/);
    const told = problems.map(({ line, column, message }) => {
      const shown = (lines[line - 1] ?? '').replaceAll('\t', ' ');
      return `${style.path}:${line}:${column}: ${message}\n  ${shown}\n  ${' '.repeat(column - 1)}^`;
    });
    throw new ServerRefusal(
      status,
      code,
      `The style is not correct, and the old one stays\n${told.join('\n')}`,
      data,
    );
  }
}
