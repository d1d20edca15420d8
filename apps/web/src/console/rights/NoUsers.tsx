import type { ReactNode } from 'react';
import { PlaceLink } from '../router.js';
import classes from './rights.module.css';
import { useRightsTexts } from './useRightsTexts.js';

/** Tells that nobody is there yet to give rights to, and where users are made. */
export function NoUsers({ project }: { project: string }): ReactNode {
  const texts = useRightsTexts();
  return (
    <p className={classes.hint}>
      {texts.noUsers}{' '}
      <PlaceLink project={project} page="users">
        {texts.makeUsers}
      </PlaceLink>
    </p>
  );
}
