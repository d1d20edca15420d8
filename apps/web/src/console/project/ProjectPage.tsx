import type { ReactNode } from 'react';
import { Journal } from '../administration/Journal.js';
import { Projects } from '../administration/Projects.js';
import { Settings } from '../administration/Settings.js';
import { Storage } from '../administration/Storage.js';
import shell from '../console.module.css';
import { Titled } from '../Titled.js';
import { Account } from './Account.js';
import { Icons } from './Icons.js';
import { Jobs } from './Jobs.js';
import type { ProjectPageName } from './pages.js';
import { useProjectTexts } from './texts/useProjectTexts.js';
import { Users } from './Users.js';

const contents: Readonly<Record<ProjectPageName, (props: { project: string }) => ReactNode>> = {
  users: Users,
  icons: Icons,
  jobs: Jobs,
  storage: Storage,
  journal: Journal,
  account: Account,
  projects: Projects,
  settings: Settings,
};

/** A page of a project beside its maps. */
export default function ProjectPage({
  project,
  page,
}: {
  project: string;
  page: ProjectPageName;
}): ReactNode {
  const texts = useProjectTexts();
  const Content = contents[page];
  const title = texts.titles[page](project);
  return (
    <Titled title={title}>
      <h1 className={shell.title}>{title}</h1>
      <Content project={project} />
    </Titled>
  );
}
