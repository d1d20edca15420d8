import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { IconPlus } from '../../common/icons.js';
import { useLanguage } from '../../common/texts/language.js';
import { clientOf, serviceClient } from '../client.js';
import { DeleteDialog } from '../deletion/DeleteDialog.js';
import page from '../project/project.module.css';
import { PlaceLink } from '../router.js';
import { bytesText } from '../texts/bytes.js';
import { useLoaded } from '../useLoaded.js';
import classes from './administration.module.css';
import { ForWhom } from './ForWhom.js';
import { ProjectForm } from './ProjectForm.js';
import { useAdministrationTexts } from './texts/useAdministrationTexts.js';
import type { ListedProject } from './types.js';

type Open = { form: ListedProject | null } | { doomed: string } | null;

/** All projects of the service: made, changed and deleted. `project`: the one whose session the page uses. */
export function Projects({ project }: { project: string }): ReactNode {
  const texts = useAdministrationTexts();
  const loaded = useLoaded(project, (signal) =>
    clientOf(project).get('/api/2.8/', { params: { query: { returnUsage: '1' } }, signal }),
  );
  const [open, setOpen] = useState<Open>(null);
  const [news, setNews] = useState('');
  const close = (): void => setOpen(null);
  const done = (text: string): void => {
    close();
    setNews(text);
    loaded.reload();
  };
  return (
    <ForWhom loaded={loaded} project={project} refusal={texts.onlyInstallers}>
      {(projects) => (
        <>
          <div className={page.head}>
            <p className={page.news} role="status">
              {news}
            </p>
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen({ form: null })}>
              {texts.newProject}
            </Button>
          </div>
          <ProjectTable own={project} projects={projects} onOpen={setOpen} />
          {open && 'form' in open && (
            <ProjectForm session={project} stored={open.form} onClose={close} onDone={done} />
          )}
          {open && 'doomed' in open && (
            <DeleteProject session={project} code={open.doomed} onClose={close} onDone={done} />
          )}
        </>
      )}
    </ForWhom>
  );
}

interface ProjectTableProps {
  /** The project whose session the page uses. */
  own: string;
  projects: readonly ListedProject[];
  onOpen: (open: Open) => void;
}

function ProjectTable({ own, projects, onOpen }: ProjectTableProps): ReactNode {
  const texts = useAdministrationTexts();
  const { ui } = useLanguage();
  const columns = ['project', 'name', 'languages', 'maps', 'users', 'size'] as const;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than its place is scrolled by keyboard
    <section className={page.scroll} aria-label={texts.project} tabIndex={0}>
      <table className={page.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {texts[column]}
              </th>
            ))}
            <th scope="col">
              <span className={page.hidden}>{texts.actionsOf}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {projects.map((one) => (
            <tr key={one.code}>
              <th scope="row">
                <PlaceLink project={one.code}>{one.code}</PlaceLink>
              </th>
              <td>{one.name}</td>
              <td data-label={texts.languages}>{one.languages.join(', ')}</td>
              <td data-label={texts.maps}>{one.maps?.toLocaleString(ui)}</td>
              <td data-label={texts.users}>{one.users?.toLocaleString(ui)}</td>
              <td data-label={texts.size}>{bytesText(one.bytes ?? 0, ui)}</td>
              <td className={page.buttons}>
                <Button
                  variant="light"
                  size="compact-md"
                  aria-label={texts.changeOf(one.code)}
                  onClick={() => onOpen({ form: one })}
                >
                  {texts.change}
                </Button>
                {one.code !== own && (
                  <Button
                    variant="default"
                    size="compact-md"
                    aria-label={texts.deleteOf(one.code)}
                    onClick={() => onOpen({ doomed: one.code })}
                  >
                    {texts.remove}
                  </Button>
                )}
                {one.code === own && <small className={classes.own}>{texts.ownProject}</small>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface DeleteProjectProps {
  session: string;
  code: string;
  onClose: () => void;
  onDone: (news: string) => void;
}

function DeleteProject({ session, code, onClose, onDone }: DeleteProjectProps): ReactNode {
  const texts = useAdministrationTexts();
  const client = serviceClient(session, code);
  return (
    <DeleteDialog
      project={code}
      doomed={null}
      count={async (signal) => {
        const query = { project: code, returnCounts: '1' } as const;
        const [counted] = await client.get('/api/2.8/', { params: { query }, signal });
        return counted?.holds ?? {};
      }}
      title={texts.deleteProject}
      name={code}
      note={texts.deleteNote}
      typed={code}
      remove={() => client.delete('/api/2.8/{project}/')}
      onClose={onClose}
      onDone={() => onDone(texts.deletedProject(code))}
    />
  );
}
