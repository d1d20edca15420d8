import { useEffect, useState } from 'react';
import type { WorkspaceItem } from './useWorkspace.js';

/** Shows the extent of a layer that an import has filled, as soon as the tree has it. Returns the function that is told its code. */
export function useImported(
  items: readonly WorkspaceItem[],
  zoom: (items: readonly WorkspaceItem[]) => void,
): (code: string) => void {
  const [code, setCode] = useState<string | null>(null);
  const item = items.find((one) => one.code === code && one.bbox);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each import
  useEffect(() => {
    if (!item) return;
    setCode(null);
    zoom([item]);
  }, [item]);
  return setCode;
}
