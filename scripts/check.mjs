/**
 * `npm run check`: format, lint, types, import rules, unused code, words, unit and conformance tests; all of them, even if one fails.
 *
 * --changed   only files that differ from the last commit, and the tests that import them; the whole check finds what breaks elsewhere
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ensurePackages, TEST_PACKAGES } from "./debian-packages.mjs";
import { checkNode, prepare } from "./prepare.mjs";
import { program, testProgram } from "./programs.mjs";
import { main, Refusal, ROOT, run, say } from "./project.mjs";

const bin = (path) => join(ROOT, "node_modules", path);

const BIOME = bin("@biomejs/biome/bin/biome");
const CRUISER = bin("dependency-cruiser/bin/dependency-cruise.mjs");
const WORDS = join(ROOT, "scripts/words.mjs");
const CRUISED = ["app", "components", "server", "packages", "e2e"];
/** The results for files that have not changed since, by content. */
const CACHE = bin(".cache/quarterdeck");
// The native compiler; packages that read TypeScript by themselves need the one before it.
const INCREMENTAL = ["--incremental", "--tsBuildInfoFile", join(CACHE, "types.tsbuildinfo")];
const TYPES = ["types", bin("typescript-native/bin/tsc"), ["--noEmit", "--project", ".", ...INCREMENTAL]];
const cruiserCache = (name) => ["--cache", join(CACHE, name), "--cache-strategy", "content"];

const STEPS = [
  ["format and lint", BIOME, ["check", "--error-on-warnings", "."]],
  TYPES,
  ["import rules", CRUISER, [...CRUISED, "--config", ...cruiserCache("import-rules")]],
  ["layers", CRUISER, ["server", "--config", ".dependency-cruiser.folders.cjs", ...cruiserCache("layers")]],
  ["unused code", bin("knip/bin/knip.js"), []],
  ["words", WORDS, []],
];

/**
 * The two lanes. `npm test` says that the product works, `npm run test:proof` that it holds under every cell, kill, fault and
 * upgrade. A file of the proof is named `*.proof.test.ts` or `*.proof.spec.ts`, a journey of it in another file has the tag @proof.
 * The long run is both lanes at once, with the larger versions.
 * @typedef {"test" | "proof" | "long"} Lane
 */

/** @type {Readonly<Record<Lane, readonly string[]>>} */
const UNIT_TESTS = { test: ["--exclude", "**/*.proof.test.{ts,tsx}"], proof: [".proof.test."], long: [] };

/** @type {Readonly<Record<Lane, readonly string[]>>} Playwright's patterns match a test's file, title and tags. */
const BROWSER_TESTS = {
  test: ["--grep-invert", "\\.proof\\.spec\\.ts|@proof"],
  proof: ["--grep", "\\.proof\\.spec\\.ts|@proof"],
  long: [],
};

/** @param {Lane} lane */
export const browserTestsOf = (lane) => ["test", ...BROWSER_TESTS[lane]];

const SETTINGS = /^(QUARTERDECK_(?!CHROMIUM$)|DATABASE_(READ_)?URL$|HOST$|PORT$|LOG_LEVEL$|NODE_ENV$)/;

/** Tests never meet the installation that somebody's environment points at. */
export function forgetSettings() {
  for (const name of Object.keys(process.env)) if (SETTINGS.test(name)) delete process.env[name];
}

/** Makes what the steps need besides the sources: a sandbox for hooks, the programs, the types of the pages' addresses. */
export async function prepareCheck() {
  await ensurePackages(TEST_PACKAGES);
  await program("main");
  await testProgram("node-process");
  await run(process.execPath, [bin("next/dist/bin/next"), "typegen"], { env: { NEXT_TELEMETRY_DISABLED: "1" } });
}

/**
 * @typedef {{ passed: number, failed: number, skipped: number, failures: readonly string[] }} Counts
 * of tests; `failures` are lines that name what failed and say why, as far as a runner's report tells
 */

/**
 * @param {Lane} [lane] of the tests
 * @returns {Promise<Counts>} tests, and failed steps as failures
 */
export async function check(lane = "test") {
  // The steps take the time in which tests wait for processes and servers.
  const [steps, tests] = await Promise.all([checkStatically(STEPS), runUnitTests(lane)]);
  return withSteps(tests, steps);
}

/** The check of files that differ from the last commit. Errors: a `Refusal` when there is none. */
async function checkChanged() {
  const files = listChanged();
  if (files.length === 0)
    throw new Refusal("No file differs from the last commit. Leave out --changed to check everything.");
  const cruised = files.filter((file) => CRUISED.includes(file.split("/", 1)[0]) && CODE.test(file));
  const code = files.filter((file) => CODE.test(file));
  const tests = listTestsOf(code);
  const steps = [
    ["format and lint", BIOME, ["check", "--error-on-warnings", "--no-errors-on-unmatched", ...files]],
    TYPES,
    ...(cruised.length > 0 ? [["import rules", CRUISER, [...cruised, "--config"]]] : []),
    ...(code.length > 0 ? [["words", WORDS, code]] : []),
  ];
  const [failed, ...ran] = await Promise.all([
    checkStatically(steps),
    ...(tests.length > 0 ? [runUnitTests("long", tests)] : []),
  ]);
  return withSteps(added(ran), failed);
}

/** The tests among these files, those that import one of them by its path, and all of the folder of a file that none imports. */
function listTestsOf(files) {
  const tests = git("ls-files", "--cached", "--others", "--exclude-standard", "*.test.ts", "*.test.tsx");
  const all = tests.filter((test) => !test.includes(".proof.") && existsSync(join(ROOT, test)));
  const imports = new Map(all.map((test) => [test, listImports(test)]));
  const found = files.flatMap((file) => {
    const importing = all.filter((test) => test === file || imports.get(test)?.has(file));
    return importing.length > 0 ? importing : all.filter((test) => dirname(test) === dirname(file));
  });
  return [...new Set([...found, ...files.filter((file) => /\.test\.tsx?$/.test(file))])];
}

/** Paths from the project's root of what a file imports by a relative path. */
function listImports(file) {
  const source = readFileSync(join(ROOT, file), "utf8");
  return new Set([...source.matchAll(/"(\.{1,2}\/[^"]+)"/g)].map(([, path]) => join(dirname(file), path)));
}

const CODE = /\.(ts|tsx|mjs)$/;

/** Paths from the project's root; removed files are left out. */
function listChanged() {
  return [
    ...git("diff", "--name-only", "--diff-filter=d", "HEAD"),
    ...git("ls-files", "--others", "--exclude-standard"),
  ];
}

/** The lines of its output. */
function git(...args) {
  const output = execFileSync("git", args, { cwd: ROOT, encoding: "utf8" });
  return output.split("\n").filter((line) => line !== "");
}

const withSteps = (tests, steps) => added([tests, { passed: 0, failed: steps.length, skipped: 0, failures: steps }]);

/** @param {readonly Counts[]} counts */
export function added(counts) {
  const total = (name) => counts.reduce((sum, each) => sum + each[name], 0);
  const failures = counts.flatMap((each) => each.failures);
  return { passed: total("passed"), failed: total("failed"), skipped: total("skipped"), failures };
}

/** The names of the steps that failed. One at a time: each holds the whole project in memory. */
async function checkStatically(steps) {
  const failed = [];
  for (const [name, program, args] of steps) {
    const startedMs = performance.now();
    const { code, output } = await run(process.execPath, [program, ...args], { isBackground: true });
    sayEnded(name, code, startedMs);
    if (code === 0) continue;
    failed.push(name);
    console.error(output.trim());
  }
  return failed;
}

/**
 * @param {Lane} lane
 * @param {readonly string[]} [options] of Vitest
 */
export function runUnitTests(lane, options = []) {
  return runReported("unit and conformance tests", bin("vitest/vitest.mjs"), (report) => ({
    args: [
      ...["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
      ...[...UNIT_TESTS[lane], ...options],
    ],
    env: {},
  }));
}

/**
 * @param {string} browser
 * @param {Lane} lane
 * @param {Record<string, string>} [env]
 */
export function runBrowserTests(browser, lane, env = {}) {
  return runReported("browser tests", bin("@playwright/test/cli.js"), (report) => ({
    args: browserTestsOf(lane),
    env: { QUARTERDECK_CHROMIUM: browser, QUARTERDECK_E2E_REPORT: report, ...env },
  }));
}

/** Runs a test runner and counts by its report. One that reports nothing has failed. */
export async function runReported(name, program, how) {
  const folder = mkdtempSync(join(tmpdir(), "quarterdeck-report-"));
  const report = join(folder, "report.json");
  const { args, env } = how(report);
  const startedMs = performance.now();
  const { code } = await run(process.execPath, [program, ...args], { inherit: true, env });
  const counts = existsSync(report)
    ? countReport(JSON.parse(readFileSync(report, "utf8")))
    : { passed: 0, failed: 0, skipped: 0, failures: [] };
  rmSync(folder, { recursive: true });
  if (code !== 0 && counts.failed === 0) {
    counts.failed = 1;
    if (counts.failures.length === 0) counts.failures = [`${name}: the runner itself, with ${code}`];
  }
  sayEnded(name, code, startedMs);
  return counts;
}

function sayEnded(name, code, startedMs) {
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  say(`${code === 0 ? "passed" : "FAILED"}: ${name}, ${seconds} s`);
}

/** Vitest's report or Playwright's. */
export function countReport(report) {
  if (report.stats !== undefined) {
    const { expected, flaky, unexpected, skipped } = report.stats;
    const failures = (report.suites ?? []).flatMap(failedJourneysOf);
    return { passed: expected + flaky, failed: unexpected, skipped, failures };
  }
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    failures: (report.testResults ?? []).flatMap(failuresOf),
  };
}

/** One line for each failed test of a file; one for a file that failed without a test. */
function failuresOf({ name, status, message, assertionResults }) {
  const file = relative(ROOT, name);
  const tests = assertionResults
    .filter((test) => test.status === "failed")
    .map(({ fullName, failureMessages }) => `${file} > ${fullName}: ${firstLine(failureMessages[0])}`);
  return tests.length === 0 && status === "failed" ? [`${file}: ${firstLine(message)}`] : tests;
}

/** One line for each failed journey of a file, and of the groups in it. */
function failedJourneysOf({ specs, suites = [] }) {
  const failed = specs
    .filter((spec) => !spec.ok)
    .map(({ file, title, tests }) => {
      const message = tests.flatMap((test) => test.results).find((result) => result.error !== undefined)?.error.message;
      return `e2e/${file} > ${title}: ${firstLine(stripVTControlCharacters(message ?? ""))}`;
    });
  return [...failed, ...suites.flatMap(failedJourneysOf)];
}

const firstLine = (text = "") => text.split("\n", 1)[0];

/** The failures, a line each, then the one line with the counts: the end of a log tells it all. */
export function summary({ passed, failed, skipped, failures }) {
  const count = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  return [...failures.map((failure) => `failed: ${failure}`), count].join("\n");
}

if (process.argv[1] === join(ROOT, "scripts/check.mjs")) {
  await main(async () => {
    const flags = process.argv.slice(2);
    if (flags.some((flag) => flag !== "--changed")) throw new Refusal("npm run check takes --changed.");
    checkNode();
    forgetSettings();
    await prepare({ withDevelopment: true });
    await prepareCheck();
    const counts = flags.includes("--changed") ? await checkChanged() : await check();
    console.log(summary(counts));
    process.exitCode = counts.failed === 0 ? 0 : 1;
  });
}
