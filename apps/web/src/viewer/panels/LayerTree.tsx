import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { IconCheck, IconChevronRight, IconMinus } from '../../common/icons.js';
import { useTexts } from '../../common/texts/language.js';
import { moveInTree } from '../moveInTree.js';
import {
  type Checked,
  checkState,
  isRadio,
  type TreeItem,
  type TreeNode,
  type TreeRow,
  visibleRows,
} from '../tree.js';
import classes from './LayerTree.module.css';

interface LayerTreeProps {
  roots: readonly TreeNode[];
  checked: Checked;
  folded: ReadonlySet<number>;
  language: string;
  /** Returns the address of an item's icon, null without one. */
  iconOf: (item: TreeItem) => string | null;
  onToggle: (node: TreeNode) => void;
  onFold: (id: number, fold: boolean) => void;
}

/**
 * The layers as an ARIA tree: one tab stop, arrow keys move inside it. Space and Enter toggle a layer, the right and left
 * arrows expand and collapse folders.
 */
export function LayerTree({
  roots,
  checked,
  folded,
  language,
  iconOf,
  onToggle,
  onFold,
}: LayerTreeProps): ReactNode {
  const texts = useTexts();
  const tree = useRef<HTMLDivElement>(null);
  const rows = visibleRows(roots, folded);
  const [wanted, setWanted] = useState<number | null>(null);
  const current = rows.some((row) => row.node.item.id === wanted) ? wanted : rows[0]?.node.item.id;

  const focus = (row: TreeRow): void => {
    setWanted(row.node.item.id);
    tree.current?.querySelector<HTMLElement>(`[data-id="${row.node.item.id}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = rows.findIndex((row) => row.node.item.id === current);
    const move = moveInTree(event.key, { rows, at, folded });
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    const { node } = rows[at]!;
    if (move.kind === 'toggle') onToggle(node);
    else if (move.kind === 'fold') onFold(node.item.id, move.fold);
    else focus(rows[move.to]!);
  };

  return (
    <div
      ref={tree}
      className={classes.tree}
      role="tree"
      aria-label={texts.layers}
      onKeyDown={onKeyDown}
      lang={language}
    >
      {rows.map((row) => (
        <Row
          key={row.node.item.id}
          row={row}
          isCurrent={row.node.item.id === current}
          isFolded={folded.has(row.node.item.id)}
          checked={checked}
          iconOf={iconOf}
          onToggle={() => {
            setWanted(row.node.item.id);
            onToggle(row.node);
          }}
          onFold={onFold}
        />
      ))}
    </div>
  );
}

interface RowProps {
  row: TreeRow;
  isCurrent: boolean;
  isFolded: boolean;
  checked: Checked;
  iconOf: LayerTreeProps['iconOf'];
  onToggle: () => void;
  onFold: LayerTreeProps['onFold'];
}

function Row({ row, isCurrent, isFolded, checked, iconOf, onToggle, onFold }: RowProps): ReactNode {
  const { node, level, position, siblings } = row;
  const { item, children } = node;
  const state = checkState(node, checked);
  const hasChildren = children.length > 0;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of its rows
    <div
      className={classes.row}
      role="treeitem"
      data-id={item.id}
      data-folder={hasChildren || undefined}
      tabIndex={isCurrent ? 0 : -1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={hasChildren ? !isFolded : undefined}
      aria-checked={state}
      style={{ paddingLeft: 8 + (level - 1) * 20 }}
      onClick={onToggle}
    >
      {hasChildren ? (
        <span
          className={classes.chevron}
          data-open={!isFolded || undefined}
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation();
            onFold(item.id, !isFolded);
          }}
        >
          <IconChevronRight size={18} />
        </span>
      ) : (
        <span className={classes.noChevron} />
      )}
      <span className={classes.mark} data-state={String(state)} data-round={isRadio(node) || undefined}>
        {state === true &&
          (isRadio(node) ? <span className={classes.dot} /> : <IconCheck size={14} stroke={3} />)}
        {state === 'mixed' && <IconMinus size={14} stroke={3} />}
      </span>
      {!hasChildren && <LayerIcon address={iconOf(item)} />}
      <span className={classes.name}>{item.name || item.code}</span>
    </div>
  );
}

/** A sample of the layer's style; nothing if it cannot be loaded. */
function LayerIcon({ address }: { address: string | null }): ReactNode {
  const [failed, setFailed] = useState<string | null>(null);
  if (address === null || failed === address) return null;
  return <img className={classes.icon} src={address} alt="" onError={() => setFailed(address)} />;
}
