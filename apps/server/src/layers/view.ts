import type { Database } from '@cartulary/database';
import { type Caller, mainLanguage } from '../access/caller.js';
import type { Container } from '../containers/containers.js';
import { shownName } from '../containers/names.js';
import type { LayerBbox } from './bbox.js';
import { fullVectorSettings } from './styles/vector-settings.js';
import { visualView } from './visual/view.js';

export interface LayerViewOptions {
  lng?: string | undefined;
  /** Present when the caller asked for it; null for a layer without geometry. */
  bbox?: LayerBbox | undefined;
}

/** A layer in the structure of get-layer; a visualization with current classes. */
export async function layerAnswer(
  db: Database,
  layer: Container & { right?: number },
  caller: Caller,
  options: LayerViewOptions = {},
): Promise<Record<string, unknown>> {
  const languages = { lng: options.lng, main: mainLanguage(caller) };
  return {
    ...layerView(layer, caller, options),
    ...(layer.visual_settings ? { visualSettings: await visualView(db, layer.id, languages) } : {}),
  };
}

/** A query names layers that viewers of its result need not know, so only editors see it. */
function shownJson({ json, type, right }: Container & { right?: number }): Container['json'] {
  if ((type !== 'virtual' && type !== 'material') || right === undefined || right >= 2) return json;
  const { query: _, ...shown } = json;
  return shown;
}

/** The type of a layer in an answer about it: the interface tells only virtual layers from others there. */
export const answeredType = ({ type }: Pick<Container, 'type'>): 'virtual' | 'layer' =>
  type === 'virtual' ? 'virtual' : 'layer';

const layerView = (
  layer: Container & { right?: number },
  caller: Caller,
  { lng, bbox }: LayerViewOptions = {},
): Record<string, unknown> => ({
  id: layer.id,
  type: answeredType(layer),
  code: layer.code,
  name: shownName(layer, [lng, mainLanguage(caller)]),
  sort: layer.sort,
  parent_id: layer.parent_id,
  selected: layer.selected,
  map_layer_id: layer.id,
  icon: layer.icon,
  css_style: layer.css_style,
  render_type: layer.render_type,
  style_mode: layer.style_mode,
  meta: layer.meta,
  render_settings: layer.render_settings,
  ...(bbox === undefined ? {} : { bbox }),
  json: shownJson(layer),
  ...(layer.visual_custom_settings ? { visualCustomSettings: layer.visual_custom_settings } : {}),
  ...(layer.style_mode === 1 && layer.simple_style ? { simpleStyle: layer.simple_style } : {}),
  ...(layer.render_type === 1 ? { vectorSettings: fullVectorSettings(layer.id, layer.vector_settings) } : {}),
});
