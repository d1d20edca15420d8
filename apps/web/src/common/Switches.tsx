import { ActionIcon, Button, Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconCheck, IconDeviceDesktop, IconLanguage, IconMoon, IconSunHigh } from './icons.js';
import { languageName, useTexts } from './texts/language.js';

interface LanguageMenuProps {
  languages: readonly string[];
  current: string;
  onChoose: (code: string) => void;
}

/** The menu of languages for data and texts. */
export function LanguageMenu({ languages, current, onChoose }: LanguageMenuProps): ReactNode {
  const texts = useTexts();
  return (
    <Menu
      position="bottom-end"
      withInitialFocusPlaceholder={false}
      width={200}
      shadow="md"
      checkIcon={<IconCheck size={16} aria-hidden />}
    >
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          px={10}
          h={44}
          leftSection={<IconLanguage size={20} stroke={1.7} aria-hidden />}
          aria-label={`${current.split('-')[0]!.toUpperCase()}, ${texts.language}: ${languageName(current)}`}
          data-testid="language"
        >
          {current.split('-')[0]!.toUpperCase()}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={current} onChange={(code) => code && onChoose(code)}>
          {languages.map((code) => (
            <Menu.RadioItem key={code} value={code} lang={code} closeMenuOnClick>
              {languageName(code)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

const schemes = [
  ['light', IconSunHigh, 'schemeLight'],
  ['dark', IconMoon, 'schemeDark'],
  ['auto', IconDeviceDesktop, 'schemeAuto'],
] as const;

/** The menu of colour schemes. */
export function SchemeMenu(): ReactNode {
  const texts = useTexts();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = useComputedColorScheme() === 'dark' ? IconMoon : IconSunHigh;
  return (
    <Menu
      position="bottom-end"
      withInitialFocusPlaceholder={false}
      width={200}
      shadow="md"
      checkIcon={<IconCheck size={16} aria-hidden />}
    >
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={44} aria-label={texts.scheme} data-testid="scheme">
          <Current size={20} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme}>
          {schemes.map(([scheme, Icon, label]) => (
            <Menu.RadioItem
              key={scheme}
              value={scheme}
              closeMenuOnClick
              rightSection={<Icon size={18} stroke={1.7} aria-hidden />}
              onChange={() => setColorScheme(scheme)}
            >
              {texts[label]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
