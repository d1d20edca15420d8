import { useRef, useState } from 'react';
import { useAddress, type WorkspaceAddress } from './useAddress.js';
import type { Workspace, WorkspaceItem } from './useWorkspace.js';

/** On a narrow page, tree and inspector are drawers above the map. */
export type Drawer = 'layers' | 'details';

export interface Selection {
  address: WorkspaceAddress;
  setAddress: (change: Partial<WorkspaceAddress>) => void;
  /** null: the map itself. */
  chosen: WorkspaceItem | null;
  choose: (item: WorkspaceItem | null) => void;
  openTable: (item: WorkspaceItem) => void;
  /** The open drawer. */
  drawer: Drawer | null;
  setDrawer: (drawer: Drawer | null) => void;
}

/** The item that the user has chosen, and what is open of it: all but the drawer is kept in the address. */
export function useSelection({ items }: Workspace): Selection {
  const [address, setAddress] = useAddress();
  // What to do first with an empty map is told beside its layers.
  const [drawer, setDrawer] = useState<Drawer | null>(items.length ? null : 'layers');
  const chosen = useChosen(items, address.item);
  const choose = (item: WorkspaceItem | null): void => {
    setAddress({ item: item?.code ?? null });
    setDrawer('details');
  };
  const openTable = ({ code }: WorkspaceItem): void => {
    setAddress({ item: code, table: true });
    setDrawer(null);
  };
  return { address, setAddress, chosen, choose, openTable, drawer, setDrawer };
}

/** The item of a code. One that has got another code meanwhile stays chosen. */
function useChosen(items: readonly WorkspaceItem[], code: string | null): WorkspaceItem | null {
  const last = useRef<{ code: string; id: number } | null>(null);
  const named = items.find((item) => item.code === code);
  if (named) last.current = { code: named.code, id: named.id };
  if (named || last.current?.code !== code) return named ?? null;
  return items.find(({ id }) => id === last.current!.id) ?? null;
}
