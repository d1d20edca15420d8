import { type DragEvent, type ReactNode, type Ref, useState } from 'react';
import {
  IconCheck,
  IconChevronRight,
  IconEyeOff,
  IconFolder,
  IconLock,
  IconMinus,
} from '../../../common/icons.js';
import { type CheckState, isRadio, type TreeRow as Row } from '../../../viewer/tree.js';
import { useWorkspaceTexts } from '../texts/useWorkspaceTexts.js';
import { rights, type WorkspaceItem } from '../useWorkspace.js';
import { type ItemAction, ItemMenu } from './ItemMenu.js';
import type { Zone } from './moves.js';
import classes from './tree.module.css';

export interface TreeRowProps {
  /** Measures the row: a long name takes several lines. */
  ref: Ref<HTMLDivElement>;
  index: number;
  /** Its place below the top of the tree. */
  topPx: number;
  row: Row;
  isFocused: boolean;
  isChosen: boolean;
  isFolded: boolean;
  /** Whether the item is in the publication tree. */
  isListed: boolean;
  state: CheckState;
  icon: string | null;
  actions: ReadonlySet<ItemAction>;
  isMenuOpen: boolean;
  onMenu: (open: boolean) => void;
  onChoose: () => void;
  onToggle: () => void;
  onFold: () => void;
  onAction: (action: ItemAction) => void;
  drag: RowDrag;
}

/** How a row is dragged and dropped on. */
export interface RowDrag {
  isDragged: boolean;
  /** Where the dragged item would lie; null: not at this row. */
  zone: Zone | null;
  onStart: (event: DragEvent) => void;
  onOver: (event: DragEvent<HTMLElement>) => void;
  onDrop: (event: DragEvent) => void;
  onEnd: () => void;
}

/** A row of the tree. The tree handles its keys. */
export function TreeRow(props: TreeRowProps): ReactNode {
  const { row, isFocused, isChosen, isFolded, state, drag } = props;
  const { node, level, position, siblings } = row;
  const isFolder = node.item.type === 'folder';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of its rows
    <div
      ref={props.ref}
      data-index={props.index}
      className={classes.row}
      role="treeitem"
      data-id={node.item.id}
      data-dragged={drag.isDragged || undefined}
      data-zone={drag.zone ?? undefined}
      tabIndex={isFocused ? 0 : -1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={node.children.length ? !isFolded : undefined}
      aria-selected={isChosen}
      aria-checked={state}
      style={{ top: props.topPx, paddingLeft: 8 + (level - 1) * 20 }}
      draggable={props.actions.has('rename')}
      onDragStart={drag.onStart}
      onDragOver={drag.onOver}
      onDrop={drag.onDrop}
      onDragEnd={drag.onEnd}
      onClick={props.onChoose}
    >
      <Chevron {...props} />
      <Mark {...props} />
      {isFolder ? (
        <IconFolder className={classes.folder} size={20} stroke={1.6} aria-hidden />
      ) : (
        <Sample address={props.icon} />
      )}
      <RowName {...props} />
    </div>
  );
}

/** Folds and unfolds a folder. */
function Chevron({ row, isFolded, onFold }: TreeRowProps): ReactNode {
  const hasChildren = row.node.children.length > 0;
  return (
    <span
      className={classes.chevron}
      data-open={!isFolded || undefined}
      aria-hidden="true"
      onClick={(event) => {
        if (!hasChildren) return;
        event.stopPropagation();
        onFold();
      }}
    >
      {hasChildren && <IconChevronRight size={16} />}
    </span>
  );
}

/** Switches the layers of the row on and off. */
function Mark({ row, state, onToggle }: TreeRowProps): ReactNode {
  return (
    <span
      className={classes.mark}
      data-state={String(state)}
      data-round={isRadio(row.node) || undefined}
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      {state === true && <IconCheck size={13} stroke={3} />}
      {state === 'mixed' && <IconMinus size={13} stroke={3} />}
    </span>
  );
}

/** The name with what is special about the item, and its menu. */
function RowName({ row, isListed, actions, isMenuOpen, onMenu, onAction }: TreeRowProps): ReactNode {
  const texts = useWorkspaceTexts();
  const item = row.node.item as WorkspaceItem;
  const name = item.name || item.code;
  return (
    <>
      <span className={classes.name} title={name}>
        {name}
      </span>
      {item.access < rights.edit && (
        <IconLock
          className={classes.note}
          size={16}
          role="img"
          aria-hidden={false}
          aria-label={texts.readOnly}
        />
      )}
      {!isListed && (
        <IconEyeOff
          className={classes.note}
          size={16}
          role="img"
          aria-hidden={false}
          aria-label={texts.notListed}
        />
      )}
      <ItemMenu name={name} actions={actions} isOpen={isMenuOpen} onOpen={onMenu} onAction={onAction} />
    </>
  );
}

/** A sample of the layer's style; nothing if it cannot be loaded. */
function Sample({ address }: { address: string | null }): ReactNode {
  const [failed, setFailed] = useState<string | null>(null);
  if (address === null || failed === address) return <span className={classes.sample} />;
  return (
    <img
      className={classes.sample}
      src={address}
      alt=""
      draggable={false}
      onError={() => setFailed(address)}
    />
  );
}
