import { type DragEvent, useState } from 'react';
import type { TreeNode } from '../../../viewer/tree.js';
import { dropMove, type Move, type Zone, zoneAt } from './moves.js';
import type { RowDrag } from './TreeRow.js';

interface DragState {
  dragged: TreeNode | null;
  over: { id: number; zone: Zone } | null;
}

const idle: DragState = { dragged: null, over: null };

/** Dragging rows of the tree with the mouse: what a row needs for it, and the item that is dragged. */
export function useDrag(onMove: (node: TreeNode, move: Move | null) => void): {
  drag: (node: TreeNode) => RowDrag;
  dragged: number | null;
} {
  const [{ dragged, over }, setState] = useState<DragState>(idle);
  const drag = (node: TreeNode): RowDrag => ({
    isDragged: dragged?.item.id === node.item.id,
    zone: over?.id === node.item.id ? over.zone : null,
    onStart: (event) => {
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', node.item.code);
      setState({ dragged: node, over: null });
    },
    onOver: (event) => {
      if (!dragged) return;
      const zone = zoneOf(event, node);
      if (!dropMove(dragged, node, zone)) return setState({ dragged, over: null });
      event.preventDefault(); // it may be dropped here
      if (over?.id !== node.item.id || over.zone !== zone)
        setState({ dragged, over: { id: node.item.id, zone } });
    },
    onDrop: (event) => {
      if (!dragged) return;
      event.preventDefault();
      event.stopPropagation();
      if (over) onMove(dragged, dropMove(dragged, node, over.zone));
      setState(idle);
    },
    onEnd: () => setState(idle),
  });
  return { drag, dragged: dragged?.item.id ?? null };
}

function zoneOf(event: DragEvent<HTMLElement>, node: TreeNode): Zone {
  const { top, height } = event.currentTarget.getBoundingClientRect();
  return zoneAt((event.clientY - top) / height, node.item.type === 'folder');
}
