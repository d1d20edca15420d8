import { type ReactNode, useEffect, useRef } from 'react';
import { PlaceLink } from '../router.js';
import { pagesFor, usePageName } from './pages.js';
import classes from './project.module.css';
import { useProjectTexts } from './texts/useProjectTexts.js';
import { useStanding } from './useStanding.js';

/** The links between the maps of a project and its other pages. */
export function ProjectNav({ project }: { project: string }): ReactNode {
  const texts = useProjectTexts();
  const current = usePageName();
  const pages = pagesFor(useStanding(project));
  const nav = useRef<HTMLElement>(null);
  // On a phone the row is wider than the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link of the page may have come with the standing
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (link) nav.current!.scrollLeft = link.offsetLeft - nav.current!.offsetLeft - 40;
  }, [current, pages.length]);
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
