import type { Locator, Page } from 'playwright-core';

export const toolPanel = (page: Page): Locator => page.getByTestId('tool');

/** Opens a tool by its name in the menu. */
export async function openTool(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^(Tools|Инструменты)$/ }).click();
  await page.getByRole('menuitem', { name }).click();
  await toolPanel(page).waitFor();
}
