/**
 * Escapes a text for Mapnik's XML, between tags or quotes. A separate file, so that a renderer need not load the style
 * compiler.
 */
export const xmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
