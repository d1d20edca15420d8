import './page.css';
import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { styleNonce } from './base.js';
import { ErrorBoundary } from './ErrorBoundary.js';
import { ErrorMessage } from './Message.js';
import { returnFocus } from './returnFocus.js';
import { SessionProvider } from './sign-in/session.js';
import { LanguageProvider, useTexts } from './texts/language.js';
import { schemeVariables, theme } from './theme.js';

/** The content of a page that failed to render. */
const Broken = (): ReactNode => (
  <main>
    <ErrorMessage error={null} onRetry={() => location.reload()} />
  </main>
);

/** The container of menus and dropdown lists. It is a landmark, because all content must lie in one. */
function Menus(): ReactNode {
  return <section id="menus" aria-label={useTexts().menus} />;
}

/** Renders a page that reloads when its sessions change. */
export const startPage = (page: ReactNode): void => renderPage(<SessionProvider>{page}</SessionProvider>);

/** Renders `page` into the document, with the chosen colour scheme and language. */
export function renderPage(page: ReactNode): void {
  returnFocus();
  createRoot(document.getElementById('root')!).render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={schemeVariables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <LanguageProvider>
        <ErrorBoundary fallback={<Broken />}>
          {page}
          <Menus />
        </ErrorBoundary>
      </LanguageProvider>
    </MantineProvider>,
  );
}
