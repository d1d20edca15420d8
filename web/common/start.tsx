import './page.css';
import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { styleNonce } from './base.js';
import { LanguageProvider } from './language.js';
import { theme } from './theme.js';

/** Shows `page` in the document, with the colours and the language that the reader chose. */
export function startPage(page: ReactNode): void {
  createRoot(document.getElementById('root')!).render(
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={styleNonce}>
      <LanguageProvider>{page}</LanguageProvider>
    </MantineProvider>,
  );
}
