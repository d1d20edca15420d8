import './page.css';
import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { styleNonce } from './base.js';
import { ErrorBoundary } from './ErrorBoundary.js';
import { LanguageProvider } from './language.js';
import { ErrorMessage } from './Message.js';
import { theme } from './theme.js';

/** Shows `page` in the document, with the colours and the language that the reader chose. */
export function startPage(page: ReactNode): void {
  createRoot(document.getElementById('root')!).render(
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={styleNonce}>
      <LanguageProvider>
        <ErrorBoundary fallback={<ErrorMessage error={null} onRetry={() => location.reload()} />}>
          {page}
        </ErrorBoundary>
      </LanguageProvider>
    </MantineProvider>,
  );
}
