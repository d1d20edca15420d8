import { rooms } from './rooms.js';

/** A rule that a file breaks. */
export interface StructureProblem {
  rule:
    | 'arrow'
    | 'door'
    | 'program'
    | 'cycle'
    | 'domain'
    | 'confined'
    | 'dependency'
    | 'crowded'
    | 'name'
    | 'unused'
    | 'long'
    | 'docstring';
  file: string;
  message: string;
}

/** The code of the workspace: path from the root → text. `package.json` files are among them. */
export type Workspace = ReadonlyMap<string, string>;

export const isTest = (file: string): boolean =>
  /\.test\.ts$/.test(file) || /^(apps|packages)\/[^/]+\/test\//.test(file);

/** `packages/geo`, `apps/server`, `bench` …; undefined for files outside of the rooms. */
export function roomOf(file: string): string | undefined {
  const parts = file.split('/');
  const room = parts[0] === 'packages' || parts[0] === 'apps' ? `${parts[0]}/${parts[1]}` : parts[0]!;
  return Object.hasOwn(rooms, room) ? room : undefined;
}
