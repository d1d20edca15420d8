import type { ReactNode } from 'react';
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
  account: Account,
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
