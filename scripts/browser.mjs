/** A Chromium for the browser tests: the system's, else one that can be had from here, each way tried in turn. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { npm, Refusal, ROOT, run, say } from "./project.mjs";

/** Without windows: the same pages take a third less of the processor. */
const SHELL = "chromium-headless-shell";
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/** Beside the project's own packages, so that npm ci keeps its word about those. */
const SHIPPED = ".quarterdeck-browser";
const SHIPPED_VERSION = "@sparticuz/chromium@143.0.4";

/** The path of a Chromium that runs. Errors: a `Refusal` when there is no way to one. */
export async function findBrowser() {
  const ways = [
    ["QUARTERDECK_CHROMIUM", async () => process.env.QUARTERDECK_CHROMIUM],
    ["the system's Chromium without windows", async () => inPath(SHELL)],
    ["Debian's package of it", shellFromDebian],
    ["the system's Chromium", async () => inPath(...NAMES)],
    ["Debian's package", fromDebian],
    ["the npm package", fromNpm],
    ["Playwright's download", fromPlaywright],
  ];
  for (const [name, way] of ways) {
    const path = await way();
    if (path === undefined) continue;
    if (await runs(path)) {
      say(`browser tests use ${name}: ${path}`);
      return path;
    }
    say(`${name} does not run here (${path}); trying the next way to a Chromium`);
  }
  throw new Refusal(
    "No Chromium could be found or installed for the browser tests. Install one, or set QUARTERDECK_CHROMIUM to its path.",
  );
}

async function runs(path) {
  return existsSync(path) && (await run(path, ["--version", "--no-sandbox"])).code === 0;
}

function inPath(...names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

const isDebianRoot = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

const install = (name) =>
  run("apt-get", ["install", "-y", "--no-install-recommends", name], { env: { DEBIAN_FRONTEND: "noninteractive" } });

/** Not worth fetching lists for: any other Chromium does as well. */
async function shellFromDebian() {
  if (!isDebianRoot()) return undefined;
  return (await install(SHELL)).code === 0 ? inPath(SHELL) : undefined;
}

async function fromDebian() {
  if (!isDebianRoot()) return undefined;
  say("no Chromium here; installing Debian's package");
  if ((await install(NAMES[0])).code !== 0) {
    await run("apt-get", ["update"]);
    if ((await install(NAMES[0])).code !== 0) return failed("apt-get install chromium");
  }
  return inPath(...NAMES);
}

async function fromNpm() {
  const folder = join(ROOT, SHIPPED);
  const entry = join(folder, "node_modules/@sparticuz/chromium/build/esm/index.js");
  if (!existsSync(entry)) {
    say("no Chromium here; installing the one shipped on npm");
    const args = ["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", SHIPPED_VERSION];
    if ((await run(...npm(args))).code !== 0) return failed("npm install");
  }
  try {
    const { default: chromium } = await import(pathToFileURL(entry).href);
    return await chromium.executablePath();
  } catch (error) {
    return failed(error.message);
  }
}

async function fromPlaywright() {
  say("no Chromium here; asking Playwright to download one");
  const cli = join(ROOT, "node_modules/@playwright/test/cli.js");
  const { code } = await run(process.execPath, [cli, "install", "chromium"]);
  if (code !== 0) return failed("playwright install");
  const { chromium } = await import("@playwright/test");
  return chromium.executablePath();
}

function failed(what) {
  say(`that did not work: ${what}`);
  return undefined;
}
