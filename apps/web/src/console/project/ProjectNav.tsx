import type { ReactNode } from 'react';
import { PlaceLink } from '../router.js';
import { projectPages, usePageName } from './pages.js';
import classes from './project.module.css';
import { useProjectTexts } from './texts/useProjectTexts.js';

/** The links between the maps of a project and its other pages. */
export function ProjectNav({ project }: { project: string }): ReactNode {
  const texts = useProjectTexts();
  const current = usePageName();
  return (
    <nav className={classes.nav} aria-label={texts.pagesOf(project)}>
      {[null, ...projectPages].map((page) => (
        <PlaceLink key={page} project={project} page={page} isCurrent={page === current}>
          {texts.pages[page ?? 'maps']}
        </PlaceLink>
      ))}
    </nav>
  );
}
