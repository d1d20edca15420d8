import { backgroundIn, withBackground } from '@cartulary/cartocss/editor';

/** The style of a map that was made without one. */
const styleOfNewMaps = 'Map { background-color: #eef2f3; }';

/** A quiet colour to begin with. That of new maps stands for the base map. */
export const quietColor = '#eef2f4';

/** The settings of a map that say what lies below its layers. */
export interface GroundSettings {
  css_style: string;
  json?: Readonly<Record<string, unknown>> | undefined;
}

/** What lies below the layers: the base map of the pages, the base layer of the map, one colour, or nothing. */
export type GroundKind = 'base' | 'layer' | 'color' | 'nothing';

const hasBaseLayer = ({ json }: GroundSettings): boolean => (json?.base_layer ?? null) !== null;

/**
 * Whether the pages show a map over their base map, by the rule of the service: `json.ground` says so, else the map has
 * neither a background of its own nor a base layer.
 */
export function isOverBaseMap(map: GroundSettings): boolean {
  if (typeof map.json?.ground === 'boolean') return map.json.ground;
  const { css_style: style } = map;
  return (style === styleOfNewMaps || !/background-color/.test(style)) && !hasBaseLayer(map);
}

export function groundOf(map: GroundSettings): GroundKind {
  if (isOverBaseMap(map)) return 'base';
  if (hasBaseLayer(map)) return 'layer';
  return backgroundIn(map.css_style) === null ? 'nothing' : 'color';
}

/** What can lie below the layers of a map. "Nothing" is offered where it is the case. */
export function groundsFor(map: GroundSettings): readonly GroundKind[] {
  if (hasBaseLayer(map)) return ['base', 'layer'];
  return groundOf(map) === 'nothing' ? ['base', 'color', 'nothing'] : ['base', 'color'];
}

/** The settings of a map with something else below its layers. `json.ground` is set only where the rest would mean another choice. */
export function withGround(
  map: GroundSettings,
  kind: GroundKind,
  color: string,
): { css_style: string; json: Record<string, unknown> } {
  const { ground: _, ...json } = map.json ?? {};
  // A base layer covers the background, which stays as it is.
  const css_style = hasBaseLayer(map)
    ? map.css_style
    : withBackground(map.css_style, kind === 'color' ? color : null);
  const isOver = kind === 'base';
  return {
    css_style,
    json: isOverBaseMap({ css_style, json }) === isOver ? json : { ...json, ground: isOver },
  };
}
