import { defineConfig } from "@playwright/test";

/** e2e/fixtures/server.setup.ts starts the server and sets QUARTERDECK_URL; scripts/test.mjs finds the browser. */
export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/fixtures/server.setup.ts",
  outputDir: "test-results",
  workers: 1,
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
    ...(process.env.QUARTERDECK_URL ? { baseURL: process.env.QUARTERDECK_URL } : {}),
    trace: "retain-on-failure",
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
