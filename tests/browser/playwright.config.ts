// Configuration of the browser tests. `cargo xtask test` provides the page's URL and a Chromium.
import { defineConfig } from "@playwright/test";

// How long the page stops is measured, so nothing else may run beside these.
const PAUSES = ["bad-input.spec.ts", "speed.spec.ts"];

const address = process.env.SANDBATCH_ADDRESS ?? "http://127.0.0.1:8080/";

export default defineConfig({
  testDir: ".",
  outputDir: "../../target/browser-tests",
  fullyParallel: false,
  // Two files at a time, each in a browser of its own. Figures are measured elsewhere (`bench`).
  workers: 2,
  forbidOnly: true,
  // No retries: a flaky test indicates a bug.
  retries: 0,
  timeout: 180_000,
  expect: { timeout: 40_000 },
  reporter: [["list"]],
  use: {
    baseURL: address,
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    timezoneId: "Europe/Paris",
    colorScheme: "light",
    permissions: ["clipboard-read", "clipboard-write"],
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROME_SHELL ?? process.env.CHROME ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    { name: "tests", testMatch: "*.spec.ts", testIgnore: PAUSES },
    { name: "pauses", testMatch: PAUSES },
    { name: "bench", testMatch: "bench.measure.ts" },
    { name: "shots", testMatch: "shots.measure.ts" },
    { name: "looks", testMatch: "looks.measure.ts" },
  ],
});
