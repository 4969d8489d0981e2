/**
 * `npm test`: installs what it needs, checks everything, then drives a production build in a browser. It has its own port
 * and data directory, so it runs beside `npm start`. Its last line counts the tests.
 *
 * --only=unit   the check alone
 * --only=e2e    the browser alone
 */
import { join } from "node:path";
import { findBrowser } from "./browser.mjs";
import { check, forgetSettings, runReported, summary } from "./check.mjs";
import { build, checkNode, prepare } from "./prepare.mjs";
import { main, Refusal, ROOT } from "./project.mjs";

const [flag, ...others] = process.argv.slice(2);

await main(async () => {
  if (others.length > 0 || !["--only=unit", "--only=e2e", undefined].includes(flag)) {
    throw new Refusal("npm test takes --only=unit or --only=e2e.");
  }
  checkNode();
  forgetSettings();
  await prepare({ withDevelopment: true });
  const browser = flag === "--only=unit" ? undefined : await findBrowser();
  if (browser !== undefined) await build();

  const counts = [];
  if (flag !== "--only=e2e") counts.push(await check());
  if (browser !== undefined) counts.push(await browse(browser));
  const total = (name) => counts.reduce((sum, count) => sum + count[name], 0);
  const all = { passed: total("passed"), failed: total("failed"), skipped: total("skipped") };
  console.log(summary(all));
  process.exitCode = all.failed === 0 ? 0 : 1;
});

function browse(browser) {
  return runReported("browser tests", join(ROOT, "node_modules/@playwright/test/cli.js"), (report) => ({
    args: ["test"],
    env: { QUARTERDECK_CHROMIUM: browser, QUARTERDECK_E2E_REPORT: report },
  }));
}
