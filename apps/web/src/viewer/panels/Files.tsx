import { type ReactNode, useState } from 'react';
import { address } from '../../common/base.js';
import { useCall } from '../../common/useCall.js';
import { filesAddress } from '../objects.js';
import type { ColumnInfo, Hit, MapAddress } from '../types.js';
import classes from './Files.module.css';

/** A file, as the service describes it. */
interface FileInfo {
  id: number;
  uuid: string;
  name: string;
  mime: string;
}

interface FilesProps {
  hit: Hit;
  column: ColumnInfo;
  map: MapAddress;
  language: string;
  /** Shown until the files are known, or if they cannot be loaded. */
  children: ReactNode;
}

/** The files of a column: thumbnails of images, names of other files. */
export function Files({ hit, column, map, language, children }: FilesProps): ReactNode {
  const { data } = useCall<FileInfo[]>(filesAddress(hit, map, { field: column.code, language }));
  if (!data?.length) return children;
  return (
    <ul className={classes.files}>
      {data.map((file) => (
        <li key={file.uuid}>
          <FileLink file={file} project={map.project} />
        </li>
      ))}
    </ul>
  );
}

const imageTypes = /^image\/(jpeg|png|webp|gif|avif|tiff)$/;

/** Width of a thumbnail: that of the panel on a screen of double density. */
const thumbnailWidthPx = 400;

function FileLink({ file, project }: { file: FileInfo; project: string }): ReactNode {
  const [isBroken, setBroken] = useState(false);
  const root = ['api', '2.8', project];
  const hasThumbnail = imageTypes.test(file.mime) && !isBroken;
  const format = file.mime === 'image/tiff' ? 'png' : undefined;
  return (
    <a href={address([...root, 'files', file.uuid])} target="_blank" rel="noopener noreferrer">
      {hasThumbnail ? (
        <img
          className={classes.picture}
          src={address([...root, 'image', file.uuid], { w: thumbnailWidthPx, f: format })}
          alt={file.name}
          title={file.name}
          loading="lazy"
          onError={() => setBroken(true)}
        />
      ) : (
        file.name
      )}
    </a>
  );
}
