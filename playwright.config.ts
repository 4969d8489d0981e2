import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";

const VIEWPORT = { width: 1440, height: 900 };

/** The order in which scripts/shuffle.mjs wants the journeys, as one project for each: projects run in their order. */
function projectsInOrder(path: string) {
  const journeys = JSON.parse(readFileSync(path, "utf8")) as { file: string; titles: string[] }[]; // ours, from shuffle.mjs
  return journeys.map(({ file, titles }, index) => ({
    name: String(index + 1),
    testMatch: `**/${file}`,
    grep: new RegExp(`${titles.map(escaped).join(" ")}( @|$)`),
    use: { viewport: VIEWPORT },
  }));
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
const order = process.env.QUARTERDECK_E2E_ORDER;

/** Each journey has a workspace of its own on a server that all share; scripts/test.mjs finds the browser. */
export default defineConfig({
  testDir: "e2e",
  globalSetup: ["./e2e/fixtures/silent-logs.setup.ts", "./e2e/fixtures/shared-servers.setup.ts"],
  outputDir: "test-results",
  // They share one server, which answers them all. A journey waits for half of its time: two cores serve three.
  workers: Math.min(availableParallelism() + 1, 6),
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
        // Pages live for seconds: what V8 spends on optimizing their code and on small collections never pays.
        "--js-flags=--no-maglev --no-turbofan --min-semi-space-size=32",
      ],
    },
  },
  projects: order === undefined ? [{ name: "desktop", use: { viewport: VIEWPORT } }] : projectsInOrder(order),
});
