import { useRef, useState } from 'react';
import { dataSetsOf } from './dataSets.js';

export interface FileQueue {
  /** The same file may wait twice. */
  files: readonly { id: number; file: File }[];
  addFiles: (added: readonly File[]) => void;
  /** Drops the first file. */
  dropFile: () => void;
  dropFiles: () => void;
}

/** The files that are imported one after the other. */
export function useFileQueue(): FileQueue {
  const [files, setFiles] = useState<FileQueue['files']>([]);
  const count = useRef(0);
  const addFiles = async (added: readonly File[]): Promise<void> => {
    const waiting = (await dataSetsOf(added)).map((file) => ({ id: count.current++, file }));
    setFiles((before) => [...before, ...waiting]);
  };
  return {
    files,
    addFiles: (added) => void addFiles(added),
    dropFile: () => setFiles(([, ...waiting]) => waiting),
    dropFiles: () => setFiles([]),
  };
}
