import '@mantine/core/styles/Tabs.css';
import { ClientError } from '@cartulary/client';
import { Loader, Tabs } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../common/Dialog.js';
import { useTexts } from '../../common/texts/language.js';
import { explain } from '../catalog/explain.js';
import { useConsoleTexts } from '../texts/useConsoleTexts.js';
import { rights, type Workspace } from '../workspace/useWorkspace.js';
import type { SharingContext } from './context.js';
import { Groups } from './Groups.js';
import { LinkAndPage } from './LinkAndPage.js';
import { MapGrants } from './MapGrants.js';
import { type OverviewState, useOverview } from './overview.js';
import { RightsMatrix } from './RightsMatrix.js';
import classes from './rights.module.css';
import { useRightsTexts } from './useRightsTexts.js';
import { Why } from './Why.js';

/** Who may see and change a map, and how it reaches them. */
export default function ShareDialog({
  workspace,
  onClose,
}: {
  workspace: Workspace;
  onClose: () => void;
}): ReactNode {
  const texts = useRightsTexts();
  const state = useOverview(workspace.project);
  const { change, news, isBusy } = useChange(workspace, state);
  const context = { workspace, state, change, isBusy };
  return (
    <Dialog title={texts.shareTitle(workspace.map.name || workspace.map.code)} isWide onClose={onClose}>
      <Tabs defaultValue="share" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="share">{texts.tabShare}</Tabs.Tab>
          <Tabs.Tab value="rights">{texts.tabRights}</Tabs.Tab>
          <Tabs.Tab value="groups">{texts.tabGroups}</Tabs.Tab>
        </Tabs.List>
        <p className={classes.news} role="status" data-problem={news.isProblem || undefined}>
          {news.text}
        </p>
        <Tabs.Panel value="share">
          <LinkAndPage {...context} />
        </Tabs.Panel>
        <Tabs.Panel value="rights">
          {!state.isAllowed && workspace.access >= rights.administer ? (
            <MapGrants {...context} />
          ) : (
            <ForAdministrators {...context}>
              <RightsMatrix {...context} />
              <Why {...context} />
            </ForAdministrators>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="groups">
          <ForAdministrators {...context}>
            <Groups {...context} />
          </ForAdministrators>
        </Tabs.Panel>
      </Tabs>
    </Dialog>
  );
}

/** What needs the overview, as soon as it is known. */
function ForAdministrators({ state, children }: SharingContext & { children: ReactNode }): ReactNode {
  const texts = useRightsTexts();
  const common = useTexts();
  if (!state.isAllowed) return <p className={classes.hint}>{texts.onlyProject}</p>;
  if (state.overview) return children;
  if (state.error) return <p role="alert">{common.failedHint}</p>;
  return <Loader size="sm" />;
}

function useChange(workspace: Workspace, { reload }: OverviewState) {
  const texts = useRightsTexts();
  const common = useTexts();
  const consoleTexts = useConsoleTexts();
  const [news, setNews] = useState({ text: '', isProblem: false });
  const [isBusy, setBusy] = useState(false);
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setNews({ text: '', isProblem: false });
    let isStored = true;
    try {
      await work();
    } catch (error) {
      isStored = false;
      const isUnknown = error instanceof ClientError && error.code === 'container_not_found';
      const text = isUnknown ? texts.unknownPrincipal : explain(error, consoleTexts, common);
      setNews({ text, isProblem: true });
    }
    // The message that it is saved comes when the dialog shows it.
    await Promise.all([reload(), workspace.reload()]);
    if (isStored) setNews({ text: texts.saved, isProblem: false });
    setBusy(false);
  };
  return { change, news, isBusy };
}
