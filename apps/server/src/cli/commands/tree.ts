import { type Client, pathOf } from '../client/client.js';
import { CommandFailure } from '../failure.js';

/** A folder or layer in the tree of a map. */
export interface CliTreeItem {
  id: number;
  type: string;
  code: string;
  name: string;
  parent_id: number;
}

/** All folders and layers of a map. */
export const treeOf = (client: Client, map: string): Promise<CliTreeItem[]> =>
  client.call('GET', pathOf(map, 'layers'), { query: { type: 'full' } });

/** The rows of a tree, with the contents of a folder indented below it. */
export function treeRows(items: CliTreeItem[], parent: number, depth = 0): string[][] {
  return items
    .filter(({ parent_id }) => parent_id === parent)
    .flatMap(({ id, type, code, name }) => [
      [`${'  '.repeat(depth)}${code}`, type, name, String(id)],
      ...treeRows(items, id, depth + 1),
    ]);
}

/** The id of a folder by its code. */
export async function folderId(client: Client, map: string, code: string): Promise<number> {
  const folders = (await treeOf(client, map)).filter(({ type }) => type === 'folder');
  const found = folders.find((folder) => folder.code === code);
  if (found) return found.id;
  const others = folders.map((folder) => folder.code).join(', ');
  throw new CommandFailure(
    `The folder '${code}' does not exist`,
    others ? `There are: ${others}.` : `Make it: cartulary folder create ${map} ${code}`,
  );
}
