/** The parser of CartoCSS; `scripts/grammar.ts` makes the module from the grammar of `packages/cartocss`. */
declare module 'grammar:cartocss' {
  export const parser: import('@lezer/lr').LRParser;
}
