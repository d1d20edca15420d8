import { ActionIcon, Button } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { base } from '../../common/base.js';
import { IconArrowLeft, IconChevronDown, IconStack2, IconX } from '../../common/icons.js';
import { LanguageMenu, SchemeMenu } from '../../common/Switches.js';
import { AccountMenu } from '../../common/sign-in/AccountMenu.js';
import { bestLanguage, offeredLanguages, useLanguage } from '../../common/texts/language.js';
import type { PublishedMap } from '../../common/types.js';
import { iconAddress } from '../objects.js';
import type { Layers } from '../useLayers.js';
import { LayerTree } from './LayerTree.js';
import { Legends } from './Legends.js';
import classes from './SidePanel.module.css';

interface SidePanelProps {
  map: PublishedMap;
  layers: Layers;
  language: string;
  isOpen: boolean;
  toggle: RefObject<HTMLButtonElement | null>;
  onOpen: (open: boolean) => void;
  /** The search field, or false for a map without layers. */
  search: ReactNode;
}

/** The map's name, menus and layers: a panel beside the map, on a phone a bar and a bottom sheet. */
export function SidePanel(props: SidePanelProps): ReactNode {
  const { map, layers, language, isOpen, toggle, onOpen, search } = props;
  const { texts } = useLanguage();
  const sheet = useRef<HTMLElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (isOpen && !wasOpen.current) sheet.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return (
    <div className={classes.side}>
      <Bar map={map} language={language} />
      {search && <div className={classes.search}>{search}</div>}
      <Button
        ref={toggle}
        className={classes.toggle}
        variant="subtle"
        color="gray"
        h={44}
        aria-expanded={isOpen}
        aria-controls="layers"
        aria-label={isOpen ? texts.hideLayers : texts.showLayers}
        leftSection={<IconStack2 size={20} stroke={1.7} aria-hidden />}
        rightSection={<IconChevronDown className={classes.arrow} size={18} aria-hidden />}
        onClick={() => onOpen(!isOpen)}
      >
        {texts.layers}
      </Button>
      <section
        ref={sheet}
        id="layers"
        className={classes.layers}
        aria-label={texts.layers}
        tabIndex={-1}
        hidden={!isOpen}
      >
        <SheetHead
          onClose={() => {
            onOpen(false);
            toggle.current?.focus();
          }}
        />
        {layers.roots.length ? (
          <LayerTree
            roots={layers.roots}
            checked={layers.checked}
            folded={layers.folded}
            language={language}
            iconOf={(item) => iconAddress({ project: map.project, map: map.code }, item)}
            onToggle={layers.toggle}
            onFold={layers.fold}
          />
        ) : (
          <p className={classes.noLayers}>{texts.noLayers}</p>
        )}
        <Legends map={{ project: map.project, map: map.code }} layers={layers.visible} language={language} />
      </section>
    </div>
  );
}

function SheetHead({ onClose }: { onClose: () => void }): ReactNode {
  const { texts } = useLanguage();
  return (
    <header className={classes.sheetHead}>
      <h2>{texts.layers}</h2>
      <ActionIcon variant="subtle" color="gray" size={44} aria-label={texts.close} onClick={onClose}>
        <IconX size={20} />
      </ActionIcon>
    </header>
  );
}

function Bar({ map, language }: { map: PublishedMap; language: string }): ReactNode {
  const { wanted, texts, choose } = useLanguage();
  const languages = offeredLanguages(map.languages);
  return (
    <header className={classes.bar}>
      <ActionIcon
        component="a"
        href={`${base}/`}
        variant="subtle"
        color="gray"
        size={44}
        aria-label={texts.toMaps}
        title={texts.toMaps}
      >
        <IconArrowLeft size={20} />
      </ActionIcon>
      <div className={classes.names}>
        <h1 lang={language}>{map.name || map.code}</h1>
        {map.project_name && <p>{map.project_name}</p>}
      </div>
      <div className={classes.switches}>
        <LanguageMenu languages={languages} current={bestLanguage(wanted, languages)} onChoose={choose} />
        <SchemeMenu />
        <AccountMenu project={map.project} compact />
      </div>
    </header>
  );
}
