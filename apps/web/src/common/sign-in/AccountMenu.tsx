import type { BrowserSession } from '@cartulary/client';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { IconLogin, IconLogOut, IconUser } from '../icons.js';
import { useTexts } from '../texts/language.js';
import { SignInDialog } from './SignIn.js';
import { useSessions } from './session.js';

interface AccountMenuProps {
  /** Shows only sessions of this project. */
  project?: string;
  /** Icons without text. */
  compact?: boolean;
}

/** A menu with the signed-in users, or a button to sign in. */
export function AccountMenu({ project, compact = false }: AccountMenuProps): ReactNode {
  const texts = useTexts();
  const { sessions, project: onlyProject, isKnown, ended, forgetEnded } = useSessions();
  const [isOpen, setOpen] = useState(false);
  const own = sessions.filter((session) => !project || session.project === project);
  if (!isKnown) return null;
  const expired = ended && (!project || ended.project === project) ? ended : null;
  return (
    <>
      {own.length ? (
        <SignedIn own={own} onMore={!project && onlyProject === null ? () => setOpen(true) : undefined} />
      ) : (
        <SignInButton compact={compact} onClick={() => setOpen(true)} />
      )}
      {(isOpen || expired) && (
        <SignInDialog
          title={expired ? texts.sessionEnded : texts.signIn}
          project={expired?.project ?? project ?? null}
          login={expired?.login}
          onClose={() => {
            setOpen(false);
            forgetEnded();
          }}
        />
      )}
    </>
  );
}

function SignInButton({ compact, onClick }: { compact: boolean; onClick: () => void }): ReactNode {
  const texts = useTexts();
  if (compact) {
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        aria-label={texts.signIn}
        title={texts.signIn}
        onClick={onClick}
      >
        <IconLogin size={20} stroke={1.7} />
      </ActionIcon>
    );
  }
  return (
    <Button
      variant="subtle"
      color="gray"
      px={10}
      h={44}
      leftSection={<IconLogin size={20} stroke={1.7} aria-hidden />}
      onClick={onClick}
    >
      {texts.signIn}
    </Button>
  );
}

function SignedIn({
  own,
  onMore,
}: {
  own: readonly BrowserSession[];
  onMore: (() => void) | undefined;
}): ReactNode {
  const texts = useTexts();
  const { signOut } = useSessions();
  const names = own.map(({ name, login }) => name || login).join(', ');
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false} width={240} shadow="md">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          size={44}
          aria-label={texts.account(names)}
          title={names}
          data-testid="account"
        >
          <IconUser size={20} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {own.map(({ project, login, name }) => (
          <Menu.Item
            key={project}
            mih={44}
            leftSection={<IconLogOut size={18} stroke={1.7} aria-hidden />}
            onClick={() => void signOut(project).catch(() => location.reload())}
          >
            {texts.signOut(name || login, own.length > 1 ? project : '')}
          </Menu.Item>
        ))}
        {onMore && (
          <Menu.Item mih={44} leftSection={<IconLogin size={18} stroke={1.7} aria-hidden />} onClick={onMore}>
            {texts.signInElsewhere}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
