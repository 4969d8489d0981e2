/**
 * `npm run test:shuffle [-- COUNT]`: the unit and browser tests in random orders, COUNT times (1). It prints the seed of each run;
 * `--seed=SEED` repeats one, `--only=unit` and `--only=e2e` run one half, `--proof` runs the other lane's tests. A test that needs
 * another one before it, or one that is not, fails here.
 */
import { randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBrowser } from "./browser.mjs";
import { browserTestsOf, forgetSettings, runBrowserTests, runUnitTests, summary } from "./check.mjs";
import { ensurePackages, TEST_PACKAGES } from "./debian-packages.mjs";
import { build, checkNode, prepare } from "./prepare.mjs";
import { main, must, Refusal, ROOT, say } from "./project.mjs";

const options = process.argv.slice(2).filter((option) => option !== "--proof");
const lane = process.argv.includes("--proof") ? "proof" : "test";

await main(async () => {
  const seedGiven = options.find((option) => /^--seed=\d+$/.test(option))?.slice("--seed=".length);
  const count = options.find((option) => /^[1-9]\d{0,3}$/.test(option));
  const only = options.find((option) => ["--only=unit", "--only=e2e"].includes(option));
  if (options.length > [seedGiven, count, only].filter(Boolean).length)
    throw new Refusal(
      "npm run test:shuffle takes a count of runs, --seed=NUMBER, --only=unit, --only=e2e and --proof.",
    );
  checkNode();
  forgetSettings();
  await prepare({ withDevelopment: true });
  await ensurePackages(TEST_PACKAGES);
  const halves = [
    ...(only === "--only=e2e" ? [] : [unitTests()]),
    ...(only === "--only=unit" ? [] : [await browserTests()]),
  ];

  let failed = 0;
  for (let run = 1; run <= Number(count ?? 1); run += 1) {
    const seed = Number(seedGiven ?? randomInt(2 ** 31));
    say(`run ${run}, seed ${seed}`);
    for (const { name, shuffle } of halves) {
      const counts = await shuffle(seed);
      say(`run ${run}, seed ${seed}, ${name}: ${summary(counts)}`);
      failed += counts.failed;
    }
  }
  console.log(`${count ?? 1} runs, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
});

function unitTests() {
  const inOrderOf = (seed) => ["--sequence.shuffle.files", "--sequence.shuffle.tests", `--sequence.seed=${seed}`];
  return { name: "unit tests", shuffle: (seed) => runUnitTests(lane, inOrderOf(seed)) };
}

async function browserTests() {
  const [browser] = await Promise.all([findBrowser(), build()]);
  const journeys = await listJourneys(browser);
  return { name: "browser tests", shuffle: (seed) => browseInOrder(browser, shuffled(journeys, seed)) };
}

/** Playwright keeps the order of files and lines, and of projects: so each journey becomes a project (playwright.config.ts). */
async function browseInOrder(browser, journeys) {
  const folder = mkdtempSync(join(tmpdir(), "quarterdeck-order-"));
  const order = join(folder, "order.json");
  writeFileSync(order, JSON.stringify(journeys));
  try {
    return await runBrowserTests(browser, lane, { QUARTERDECK_E2E_ORDER: order });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Every browser test of the lane by its file and its titles. */
async function listJourneys(browser) {
  const cli = join(ROOT, "node_modules/@playwright/test/cli.js");
  const folder = mkdtempSync(join(tmpdir(), "quarterdeck-list-"));
  const report = join(folder, "list.json");
  const tests = browserTestsOf(lane);
  await must("listing the browser tests", process.execPath, [cli, ...tests, "--list", "--reporter=json"], {
    env: { QUARTERDECK_CHROMIUM: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  const { suites } = JSON.parse(readFileSync(report, "utf8"));
  rmSync(folder, { recursive: true });
  return suites.flatMap((suite) => journeysOf(suite, []));
}

function journeysOf({ file, specs = [], suites = [] }, titles) {
  return [
    ...specs.map(({ title }) => ({ file, titles: [...titles, title] })),
    ...suites.flatMap((suite) => journeysOf(suite, [...titles, suite.title])),
  ];
}

/** Fisher and Yates, with a generator that the seed alone decides (mulberry32). */
function shuffled(items, seed) {
  const result = [...items];
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [result[index], result[other]] = [result[other], result[index]];
  }
  return result;
}
