import { defineConfig } from "@playwright/test";

/** Each journey has a workspace of its own on a server that all share; scripts/test.mjs finds the browser. */
export default defineConfig({
  testDir: "e2e",
  globalSetup: ["./e2e/fixtures/silent-logs.setup.ts", "./e2e/fixtures/shared-servers.setup.ts"],
  outputDir: "test-results",
  workers: 2,
  fullyParallel: true,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: [
    ["list"],
    ...(process.env.QUARTERDECK_E2E_REPORT
      ? [["json", { outputFile: process.env.QUARTERDECK_E2E_REPORT }] as const]
      : []),
  ],
  use: {
    // A trace would tell more and costs every passing test a third of its time: `--trace on` for the one that fails.
    screenshot: "only-on-failure",
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      executablePath: process.env.QUARTERDECK_CHROMIUM ?? "/usr/bin/chromium",
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
  projects: [{ name: "desktop", use: { viewport: { width: 1440, height: 900 } } }],
});
