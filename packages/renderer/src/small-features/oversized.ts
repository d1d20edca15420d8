/** Symbols of a layer do not fit into sprites: they reach further than was expected, or are too many large ones. */
export class OversizedSymbols extends Error {
  readonly layerId: number;

  constructor(layerId: number) {
    super(`the symbols of layer ${layerId} are too large for sprites`);
    this.layerId = layerId;
  }
}
