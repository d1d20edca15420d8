import type { FileDetails } from '@cartulary/client';
import { type ReactNode, useEffect, useState } from 'react';
import { useTexts } from '../../../../common/texts/language.js';
import type { RowSource, TableRow } from '../rows/source.js';
import classes from './files.module.css';
import { readFiles, thumbnailOf } from './objectFiles.js';

/** Most pictures in a cell. */
const shownFiles = 4;
/** Height of a picture in a cell on a screen of double density, pixels. */
const heightPx = 56;

/** The files of a cell: small pictures, and how many there are. */
export function FileThumbs({
  source,
  row,
  field,
}: {
  source: RowSource;
  row: TableRow;
  field: string;
}): ReactNode {
  const { files: count } = useTexts();
  const [files, setFiles] = useState<readonly FileDetails[]>([]);
  const ids = typeof row.fields[field] === 'string' ? row.fields[field] : '';
  useEffect(() => {
    if (!ids) return setFiles([]);
    const controller = new AbortController();
    const { signal } = controller;
    readFiles(source, { object: row.id, field }, signal).then(
      (found) => !signal.aborted && setFiles(found),
      () => {}, // the number of files is shown all the same
    );
    return () => controller.abort();
  }, [source, row.id, field, ids]);
  if (!ids) return null;
  return (
    <span className={classes.thumbs}>
      {files.slice(0, shownFiles).map((file) => {
        const picture = thumbnailOf(source.client.project, file, heightPx);
        return picture && <img key={file.uuid} src={picture} alt={file.name} />;
      })}
      <span className={classes.count}>{count(ids.split(',').length)}</span>
    </span>
  );
}
