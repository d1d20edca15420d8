import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** How a person works a page. */
export interface Hands {
  /** Presses a button, a link or a tab, or switches a choice. */
  press(target: Locator): Promise<void>;
  /** Chooses the option of a list whose text begins so. */
  choose(list: Locator, option: string): Promise<void>;
  /** Writes into a field in place of what is there. */
  write(field: Locator, text: string): Promise<void>;
}

/** A mouse. */
export const mouse: Hands = {
  press: (target) => target.click(),
  choose: async (list, option) => {
    const named = list.locator('option', { hasText: new RegExp(`^${option}`) }).first();
    await list.selectOption({ label: (await named.textContent())!.trim() });
  },
  write: (field, text) => field.fill(text),
};

/** A finger on a phone. What is to be touched must be in view after scrolling, and nothing may lie over it. */
export const finger = (): Hands => ({
  press: (target) => target.tap(),
  choose: async (list, option) => {
    await list.tap();
    await mouse.choose(list, option);
  },
  write: async (field, text) => {
    await field.tap();
    await field.fill(text);
  },
});

/** Most stops of the Tab key on the way to something. */
const stopLimit = 150;

/** A keyboard alone: the Tab key leads to everything. */
export function keyboard(page: Page): Hands {
  const hasFocus = async (target: Locator): Promise<boolean> =>
    (await page.locator(':focus').and(target).count()) > 0;
  const reach = async (target: Locator): Promise<void> => {
    await target.waitFor();
    for (let stops = 0; !(await hasFocus(target)); stops++) {
      assert.ok(stops < stopLimit, `the Tab key reaches ${target}`);
      await page.keyboard.press('Tab');
    }
  };
  /** Of a row of tabs and of a menu one has the focus; the arrow keys lead to the others. */
  const reachAmong = async (target: Locator, first: Locator, key: string): Promise<void> => {
    await reach(first);
    for (let steps = 0; !(await hasFocus(target)); steps++) {
      assert.ok(steps < 20, `the key ${key} reaches ${target}`);
      await page.keyboard.press(key);
    }
  };
  return {
    press: async (target) => {
      await target.waitFor();
      const role = await target.getAttribute('role');
      const tabs = target.locator('xpath=ancestor::*[@role="tablist"]');
      if (role === 'tab') await reachAmong(target, tabs.getByRole('tab', { selected: true }), 'ArrowRight');
      else if (role === 'menuitem') await reachAmong(target, page.locator(':focus'), 'ArrowDown');
      else await reach(target);
      const kind = await target.getAttribute('type');
      await page.keyboard.press(kind === 'radio' || kind === 'checkbox' ? 'Space' : 'Enter');
    },
    choose: async (list, option) => {
      await reach(list);
      // A letter goes to the next option that begins with it. Several letters would have to come within a second.
      const isChosen = async (): Promise<boolean> =>
        ((await list.locator('option:checked').textContent()) ?? '').startsWith(option);
      const options = await list.locator('option').count();
      for (let letters = 0; !(await isChosen()); letters++) {
        assert.ok(letters < options, `${option} is in the list`);
        await page.keyboard.press(option[0]!.toLowerCase());
      }
    },
    write: async (field, text) => {
      await reach(field);
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(text);
    },
  };
}
