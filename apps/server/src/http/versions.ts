/** The versions of the interface that are served, the newest first: the segment behind `api/`. */
export const versions = ['2.8', '2.0', '1.0'] as const;

export type InterfaceVersion = (typeof versions)[number];

/** The forms that came before this one; `src/legacy/` translates them. */
export type EarlierVersion = Exclude<InterfaceVersion, '2.8'>;
