import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  nodes: { target: unknown; failureSummary: string }[];
}

/** Colours that change, as after the colour scheme is known, reach deep elements some frames later. */
export const transitionsEnd = `(async () => {
  for (;;) {
    const running = document.getAnimations().filter((one) => one instanceof CSSTransition);
    if (!running.length) return;
    await Promise.allSettled(running.map((one) => one.finished));
  }
})()`;

/** The violations that axe finds with all of its rules. */
export async function findingsOf(page: Page): Promise<string[]> {
  await page.evaluate(transitionsEnd);
  // The content security policy forbids foreign scripts, so that axe is injected around it.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source);
  const found = await page.evaluate<Violation[]>(
    `axe.run({ resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      rules: { 'label-content-name-mismatch': { enabled: true } } }).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${JSON.stringify(target)} ${failureSummary}`),
  );
}
