/** The served versions of the interface, newest first: the segment behind `api/`. */
export const versions = ['2.8', '2.0', '1.0'] as const;

export type InterfaceVersion = (typeof versions)[number];

/** The earlier versions, which `legacy/` translates. */
export type EarlierVersion = Exclude<InterfaceVersion, '2.8'>;
