/** A text as it stands in Mapnik's XML, between tags or quotes. Of its own, so that a renderer need not load what compiles styles. */
export const xmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
