import { type ReactNode, useState } from 'react';
import { address } from '../common/base.js';
import { useCall } from '../common/useCall.js';
import classes from './Files.module.css';
import { type ColumnInfo, filesAddress, type Hit, type MapAddress } from './objects.js';

/** A file as the service tells it. */
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
  /** What is shown until the files are known, or when they cannot be. */
  children: ReactNode;
}

/** The files of a column: a thumbnail of each picture, the name of every other. */
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

const pictures = /^image\/(jpeg|png|webp|gif|avif|tiff)$/;

/** Width of a thumbnail, pixels: that of the panel on a sharp screen. */
const width = 400;

function FileLink({ file, project }: { file: FileInfo; project: string }): ReactNode {
  const [isBroken, setBroken] = useState(false);
  const root = ['api', '2.8', project];
  const hasThumbnail = pictures.test(file.mime) && !isBroken;
  const format = file.mime === 'image/tiff' ? 'png' : undefined;
  return (
    <a href={address([...root, 'files', file.uuid])} target="_blank" rel="noopener noreferrer">
      {hasThumbnail ? (
        <img
          className={classes.picture}
          src={address([...root, 'image', file.uuid], { w: width, f: format })}
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
