import { useEffect, useState } from 'react';
import { base } from '../../common/base.js';
import { useSessions } from '../../common/sign-in/session.js';
import { useLanguage } from '../../common/texts/language.js';
import { clientOf } from '../client.js';
import { pagesFor } from '../project/pages.js';
import { useProjectTexts } from '../project/texts/useProjectTexts.js';
import { useStanding } from '../project/useStanding.js';
import { goTo, pathOf, usePlace } from '../router.js';
import { useConsoleTexts } from '../texts/useConsoleTexts.js';
import type { Action, ActionGroup } from './actions.js';

/** The places that can be gone to: the maps of the project, the user's projects, pages beside the console. */
export function usePlaces(): readonly ActionGroup[] {
  const texts = useConsoleTexts();
  const projectTexts = useProjectTexts();
  const { ui, texts: common } = useLanguage();
  const { sessions } = useSessions();
  const { project: named } = usePlace();
  const project = named ?? sessions[0]?.project ?? null;
  const maps = useMapActions(project, ui);
  const projects = sessions.map(
    ({ project: one }): Action => ({
      id: `project ${one}`,
      label: texts.mapsOf(one),
      run: () => goTo(pathOf(one)),
    }),
  );
  const ofProject = pagesFor(useStanding(project)).map(
    (page): Action => ({
      id: `page ${page}`,
      label: projectTexts.pages[page],
      run: () => goTo(`${pathOf(project)}?page=${page}`),
    }),
  );
  const pages: Action[] = [
    { id: 'home', label: common.toMaps, run: () => location.assign(`${base}/`) },
    { id: 'guide', label: texts.guide, run: () => location.assign(`${base}/docs/`) },
  ];
  return [
    { label: texts.maps, actions: maps },
    { label: texts.places, actions: [...projects, ...(project === null ? [] : ofProject), ...pages] },
  ];
}

/** The maps of a project; none while they are loaded, or where they cannot be. */
function useMapActions(project: string | null, lng: string): readonly Action[] {
  const [actions, setActions] = useState<readonly Action[]>([]);
  useEffect(() => {
    if (project === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    clientOf(project)
      .get('/api/2.8/{project}/maps/', { params: { query: { lng } }, signal })
      .then(
        (maps) => {
          if (signal.aborted) return;
          const open = (code: string) => () => goTo(pathOf(project, code));
          setActions(
            maps.map(({ code, name }) => ({
              id: `map ${code}`,
              label: name || code,
              hint: code,
              run: open(code),
            })),
          );
        },
        () => {},
      );
    return () => controller.abort();
  }, [project, lng]);
  return actions;
}
