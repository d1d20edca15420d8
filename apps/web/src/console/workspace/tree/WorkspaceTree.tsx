import type { VirtualItem } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { moveInTree } from '../../../viewer/moveInTree.js';
import {
  type Checked,
  checkState,
  type TreeRow as Row,
  type TreeNode,
  visibleRows,
} from '../../../viewer/tree.js';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import { hasTable, rights, type WorkspaceItem } from '../useWorkspace.js';
import type { ItemAction, PlacedAction } from './ItemMenu.js';
import { type Direction, directions, isDirection, type Move, stepMove } from './moves.js';
import { TreeRow } from './TreeRow.js';
import classes from './tree.module.css';
import { useDrag } from './useDrag.js';
import { useTreeScroll } from './useTreeScroll.js';

export interface WorkspaceTreeProps {
  roots: readonly TreeNode[];
  checked: Checked;
  chosen: number | null;
  /** Whether the user may change the map, and with it the order of the tree. */
  canEdit: boolean;
  listed: ReadonlySet<number>;
  iconOf: (item: WorkspaceItem) => string | null;
  onChoose: (node: TreeNode) => void;
  onToggle: (node: TreeNode) => void;
  onMove: (node: TreeNode, move: Move | null) => void;
  onAction: (node: TreeNode, action: PlacedAction) => void;
}

const arrows: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
};

/** The folders and layers of the map as an ARIA tree: one stop of the tab key, arrow keys move in it. */
export function WorkspaceTree(props: WorkspaceTreeProps): ReactNode {
  const texts = useWorkspaceTexts();
  const { checked, chosen, listed, iconOf } = props;
  const state = useTreeState(props);
  const { rows, folded, focused, menu } = state;
  const { drag, dragged } = useDrag(props.onMove);
  const { scroll, topPx } = useTreeScroll(state.tree, {
    ids: state.ids,
    kept: [focused, menu, dragged],
    chosen,
  });
  const rowOf = ({ index, key, start }: VirtualItem): ReactNode => {
    const row = rows[index]!;
    const { node } = row;
    const { id } = node.item;
    return (
      <TreeRow
        key={key}
        ref={scroll.measureElement}
        index={index}
        topPx={start - topPx}
        row={row}
        isFocused={id === focused}
        isChosen={id === chosen}
        isFolded={folded.has(id)}
        isListed={listed.has(id)}
        state={checkState(node, checked)}
        icon={iconOf(node.item as WorkspaceItem)}
        actions={actionsOf(node, props)}
        isMenuOpen={menu === id}
        onMenu={(open) => state.setMenu(open ? id : null)}
        onChoose={() => {
          state.setWanted(id);
          props.onChoose(node);
        }}
        onToggle={() => props.onToggle(node)}
        onFold={() => state.fold(id, !folded.has(id))}
        onAction={(action) => state.act(node, action)}
        drag={drag(node)}
      />
    );
  };
  return (
    <div
      ref={state.tree}
      className={classes.tree}
      role="tree"
      aria-label={texts.layers}
      onKeyDown={state.onKeyDown}
      onFocus={state.onFocus}
      onBlur={state.onBlur}
    >
      <div className={classes.rows} role="presentation" style={{ height: scroll.getTotalSize() }}>
        {scroll.getVirtualItems().map(rowOf)}
      </div>
    </div>
  );
}

/** The rows, which of them are folded, have the focus or an open menu, and what keys and menus do. */
function useTreeState(props: WorkspaceTreeProps) {
  const { roots, chosen } = props;
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [menu, setMenu] = useState<number | null>(null);
  const { wanted, setWanted, ...focusing } = useFocusedRow(roots);
  const rows = useMemo(() => visibleRows(roots, folded), [roots, folded]);
  const ids = useMemo(() => rows.map(({ node }) => node.item.id), [rows]);
  const isShown = (id: number | null): boolean => rows.some(({ node }) => node.item.id === id);
  const focused = [wanted, chosen].find(isShown) ?? rows[0]?.node.item.id;
  const fold = (id: number, isFolded: boolean): void => setFolded((before) => withId(before, id, isFolded));
  const focus = (id: number): void => {
    // The row that is wanted is drawn wherever it lies.
    flushSync(() => setWanted(id));
    focusing.tree.current?.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus();
  };
  const act = (node: TreeNode, action: ItemAction): void => {
    setMenu(null);
    if (isDirection(action)) props.onMove(node, stepMove(node, roots, action));
    else props.onAction(node, action);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = rows.findIndex(({ node }) => node.item.id === focused);
    const row = rows[at];
    if (!row || !handleKey(event, { row, rows, at, folded, props, act, fold, focus, setMenu })) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { ...focusing, rows, ids, folded, focused, menu, setMenu, setWanted, fold, act, onKeyDown };
}

/** The row that has the focus, also where a change of the tree moves the row. */
function useFocusedRow(roots: readonly TreeNode[]) {
  const tree = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState<number | null>(null);
  const hasFocus = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a moved row loses the focus when the tree changes
  useEffect(() => {
    if (hasFocus.current && document.activeElement === document.body)
      tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [roots]);
  return {
    tree,
    wanted,
    setWanted,
    onFocus: ({ target }: FocusEvent<HTMLElement>): void => {
      hasFocus.current = true;
      const { id } = target.closest<HTMLElement>('[data-id]')?.dataset ?? {};
      if (id !== undefined) setWanted(Number(id));
    },
    onBlur: ({ relatedTarget }: FocusEvent): void => {
      if (relatedTarget) hasFocus.current = false;
    },
  };
}

function withId(before: ReadonlySet<number>, id: number, isIn: boolean): ReadonlySet<number> {
  const next = new Set(before);
  if (isIn) next.add(id);
  else next.delete(id);
  return next;
}

/** What the user may do with an item, and what there is to do. */
function actionsOf(node: TreeNode, { canEdit, roots }: WorkspaceTreeProps): ReadonlySet<ItemAction> {
  const item = node.item as WorkspaceItem;
  const mayChange = canEdit && item.access >= rights.edit;
  const moves = directions.filter((step) => stepMove(node, roots, step));
  const hasExtent = node.leaves.some((leaf) => (leaf as WorkspaceItem).bbox);
  return new Set<ItemAction>([
    ...(hasExtent ? (['zoom'] as const) : []),
    ...(hasTable(item) ? (['table', 'export'] as const) : []),
    ...(mayChange ? (['rename', ...moves, 'remove'] as const) : []),
  ]);
}

interface KeyContext {
  row: Row;
  rows: readonly Row[];
  at: number;
  folded: ReadonlySet<number>;
  props: WorkspaceTreeProps;
  act: (node: TreeNode, action: ItemAction) => void;
  fold: (id: number, isFolded: boolean) => void;
  focus: (id: number) => void;
  setMenu: (id: number) => void;
}

/** Carries out a key of the tree. Tells whether it had a meaning. */
function handleKey(event: KeyboardEvent, context: KeyContext): boolean {
  const { row, rows, at, folded, props, act } = context;
  const { node } = row;
  if (event.ctrlKey || event.metaKey) return false;
  const actions = actionsOf(node, props);
  const step = event.altKey ? arrows[event.key] : undefined;
  if (step) {
    if (actions.has('rename')) act(node, step);
    return true;
  }
  if (event.altKey) return false;
  if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) context.setMenu(node.item.id);
  else if (event.key === 'Enter') props.onChoose(node);
  else if (event.key === 'F2' && actions.has('rename')) act(node, 'rename');
  else if (event.key === 'Delete' && actions.has('remove')) act(node, 'remove');
  else {
    const move = moveInTree(event.key, { rows, at, folded });
    if (move?.kind === 'toggle') props.onToggle(node);
    else if (move?.kind === 'fold') context.fold(node.item.id, move.fold);
    else if (move) context.focus(rows[move.to]!.node.item.id);
    return move !== undefined;
  }
  return true;
}
