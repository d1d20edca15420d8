import { type DragEvent, type ReactNode, useState } from 'react';
import { droppedFiles } from './dropped.js';
import classes from './import.module.css';
import { useImportTexts } from './useImportTexts.js';

interface DropZoneProps {
  className: string | undefined;
  /** null: files cannot be dropped. */
  onFiles: ((files: File[]) => void) | null;
  /** Receives why files that were dropped cannot be read. */
  onFailure: (error: unknown) => void;
  children: ReactNode;
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

/** Takes files and folders that are dropped anywhere on it. */
export function DropZone({ className, onFiles, onFailure, children }: DropZoneProps): ReactNode {
  const texts = useImportTexts();
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent): void => {
    if (!hasFiles(event) || !onFiles) return;
    event.preventDefault();
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the menu "Add" chooses files by keyboard
    <div
      className={className}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event) || !onFiles) return;
        event.preventDefault();
        setOver(false);
        void droppedFiles(event.dataTransfer.items).then((groups) => groups.forEach(onFiles), onFailure);
      }}
    >
      {children}
      {isOver && <p className={classes.drop}>{texts.dropHere}</p>}
    </div>
  );
}
