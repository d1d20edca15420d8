/** A layer cannot be drawn from sprites: its symbols reach further than was expected, or its style draws too many kinds of features. */
export class SpritesImpossible extends Error {
  readonly layerId: number;

  constructor(layerId: number) {
    super(`the symbols of layer ${layerId} are too large, or too many, for sprites`);
    this.layerId = layerId;
  }
}
