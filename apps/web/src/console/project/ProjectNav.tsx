import type { ReactNode } from 'react';
import { PlaceLink } from '../router.js';
import { useCurrentInView } from '../useCurrentInView.js';
import { pagesFor, usePageName } from './pages.js';
import classes from './project.module.css';
import { useProjectTexts } from './texts/useProjectTexts.js';
import { useStanding } from './useStanding.js';

/** The links between the maps of a project and its other pages. */
export function ProjectNav({ project }: { project: string }): ReactNode {
  const texts = useProjectTexts();
  const current = usePageName();
  const pages = pagesFor(useStanding(project));
  // The link of the page may come with the standing of the user.
  const nav = useCurrentInView(`${current} ${pages.length}`);
  return (
    <nav ref={nav} className={classes.nav} aria-label={texts.pagesOf(project)}>
      {[null, ...pages].map((page) => (
        <PlaceLink key={page} project={project} page={page} isCurrent={page === current}>
          {texts.pages[page ?? 'maps']}
        </PlaceLink>
      ))}
    </nav>
  );
}
