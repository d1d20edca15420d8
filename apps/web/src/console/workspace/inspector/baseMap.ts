/** The style of a map that was made without one. */
const styleOfNewMaps = 'Map { background-color: #eef2f3; }';

/** Whether the pages show a map with this style over their base map, by the rule of the service: its style has no background of its own. */
export const isOverBaseMap = (style: string): boolean =>
  style === styleOfNewMaps || !/background-color/.test(style);
