import { type ComponentType, lazy, type ReactNode } from 'react';
import { Dialog } from '../common/Dialog.js';
import { ErrorBoundary } from '../common/ErrorBoundary.js';
import { useConsoleTexts } from './texts/useConsoleTexts.js';

/**
 * A part of the page that is loaded when it is first shown. Where that fails, as without a connection, `Failed` takes its place
 * and the rest of the page stays with all that was entered. When it is opened again, it is loaded again.
 */
function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Failed: ComponentType<Props>,
): ComponentType<Props> {
  const begin = (): ComponentType<Props> => lazy(load) as unknown as ComponentType<Props>;
  let Part = begin();
  const forget = (): void => {
    Part = begin();
  };
  return function LazyPart(props: Props): ReactNode {
    return (
      <ErrorBoundary fallback={<Failed {...props} />} onError={forget}>
        <Part {...props} />
      </ErrorBoundary>
    );
  };
}

/** A dialog that is loaded when it is opened. */
export const lazyDialog = <Props extends { onClose: () => void }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> => lazyPart(load, UnloadedDialog);

/** An editor that is loaded when it is first shown. */
export const lazyEditor = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> => lazyPart(load, UnloadedEditor);

function UnloadedDialog({ onClose }: { onClose: () => void }): ReactNode {
  const texts = useConsoleTexts();
  return (
    <Dialog title={texts.partFailed} onClose={onClose}>
      <p role="alert">{texts.partFailedHint}</p>
    </Dialog>
  );
}

function UnloadedEditor(): ReactNode {
  const texts = useConsoleTexts();
  return (
    <p role="alert">
      {texts.partFailed}. {texts.partFailedHint}
    </p>
  );
}
