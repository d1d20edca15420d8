/**
 * Operations of compositing by which the renderer lays pictures over each other as Mapnik does. On an opaque ground they give the same for the parts of a symbol one
 * after the other and for the whole symbol (`darken` and `lighten`: of opaque parts).
 */
const blendings = ['src-over', 'multiply', 'screen', 'plus', 'darken', 'lighten'] as const;
export type Blending = (typeof blendings)[number];

/** The blending of a name in CartoCSS; undefined: another operation. */
export const blendingNamed = (name: string): Blending | undefined => blendings.find((one) => one === name);
