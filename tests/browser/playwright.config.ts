// Configuration of the browser tests. `cargo xtask test` provides the page's URL and a Chromium.
import { defineConfig } from "@playwright/test";

const address = process.env.SANDBATCH_ADDRESS ?? "http://127.0.0.1:8080/";

export default defineConfig({
  testDir: ".",
  outputDir: "../../target/browser-tests",
  fullyParallel: false,
  // Two files at a time, each in a browser of its own: a test mostly waits for the simulated clock. Figures
  // are measured elsewhere (`bench`), and the pauses that a test allows are generous.
  workers: 2,
  forbidOnly: true,
  // No retries: a flaky test indicates a bug.
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 20_000 },
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
      executablePath: process.env.CHROME ?? "/usr/bin/chromium",
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
    { name: "tests", testMatch: "*.spec.ts" },
    { name: "bench", testMatch: "bench.measure.ts" },
    { name: "shots", testMatch: "shots.measure.ts" },
    { name: "looks", testMatch: "looks.measure.ts" },
  ],
});
