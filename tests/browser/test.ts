// The tests' `test`: Playwright's, which also closes what a test opened beside its own page.
import { test as base } from "@playwright/test";

export { expect } from "@playwright/test";

export const test = base.extend<{ closeOthers: void }>({
  // A page that stays open goes on simulating and slows all later tests of the same browser.
  closeOthers: [
    async ({ browser }, use) => {
      await use();
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],
});
