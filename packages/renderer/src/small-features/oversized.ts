/** Symbols of a layer reach further than was expected, so that they do not fit into sprites. */
export class OversizedSymbols extends Error {
  readonly layerId: number;

  constructor(layerId: number) {
    super(`the symbols of layer ${layerId} are too large for sprites`);
    this.layerId = layerId;
  }
}
