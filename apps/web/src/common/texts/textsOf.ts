/** A table of texts in any language: the keys of the English one, with other words. */
export type TextsOf<English> = {
  [K in keyof English]: English[K] extends string
    ? string
    : English[K] extends Readonly<Record<string, string>>
      ? Record<keyof English[K], string>
      : English[K];
};
