import { Button } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import fields from '../../common/fields.module.css';
import { IconUpload } from '../../common/icons.js';
import { clientOf } from '../client.js';
import { useMistakes } from '../mistakes/useMistakes.js';
import { Unloaded } from '../Unloaded.js';
import { useLoaded } from '../useLoaded.js';
import { useSending } from '../useSending.js';
import { iconNameFor } from './iconNameFor.js';
import classes from './project.module.css';
import { useProjectTexts } from './texts/useProjectTexts.js';

/** The icons that styles of the project can name. */
export function Icons({ project }: { project: string }): ReactNode {
  const texts = useProjectTexts();
  const { value, error, reload } = useLoaded(project, (signal) =>
    clientOf(project).get('/api/2.8/{project}/icons/', { signal }),
  );
  const { isBusy, problem, send } = useSending();
  const mistake = useMistakes();
  const [news, setNews] = useState('');
  const change = async (work: () => Promise<unknown>, text: string): Promise<void> => {
    setNews('');
    if (await send(work)) setNews(text);
    reload();
  };
  const upload = (file: File): Promise<void> => {
    const icon = iconNameFor(file.name);
    return change(() => putIcon(project, icon, file), texts.storedIcon(icon));
  };
  const remove = (icon: string): Promise<void> =>
    change(
      () => clientOf(project).delete('/api/2.8/{project}/icons/{icon}/', { params: { path: { icon } } }),
      texts.deletedIcon(icon),
    );
  if (!value) return <Unloaded error={error} project={project} onRetry={reload} />;
  return (
    <>
      <div className={classes.head}>
        <p className={classes.hint}>{texts.iconsHint}</p>
        <UploadButton label={texts.uploadIcon} isBusy={isBusy} onFile={(file) => void upload(file)} />
      </div>
      <p className={classes.news} role="status">
        {news}
      </p>
      <p className={fields.problem} role="alert">
        {mistake(problem)}
      </p>
      <ul className={classes.icons}>
        {value.map(({ name, path, own }) => (
          <li key={name}>
            <img src={path} alt="" loading="lazy" width={32} height={32} />
            <span>{name}</span>
            {own && (
              <Button
                variant="default"
                size="compact-sm"
                aria-label={texts.deleteOf(name)}
                disabled={isBusy}
                onClick={() => void remove(name)}
              >
                {texts.remove}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

interface UploadButtonProps {
  label: string;
  isBusy: boolean;
  onFile: (file: File) => void;
}

function UploadButton({ label, isBusy, onFile }: UploadButtonProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept=".svg,.png,image/svg+xml,image/png"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
      <Button
        leftSection={<IconUpload size={18} aria-hidden />}
        loading={isBusy}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
    </>
  );
}

/** Stores the picture of an icon. A picture of this name is replaced. */
function putIcon(project: string, icon: string, file: File): Promise<unknown> {
  const form = new FormData();
  form.append('file', file, file.name);
  return clientOf(project).put('/api/2.8/{project}/icons/{icon}/', {
    params: { path: { icon } },
    body: form as never,
    bodySerializer: (body: unknown) => body as FormData,
  });
}
