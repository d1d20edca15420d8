/** Thrown inside of this folder where MapLibre cannot say a part of a style. The message names the part. */
export class Inexpressible extends Error {}
