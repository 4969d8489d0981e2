/**
 * `npm test`: installs what it needs, checks everything, then drives a production build in a browser. It has its own port
 * and data directory, so it runs beside `npm start`. Its last line counts the tests.
 *
 * --only=unit   the check alone
 * --only=e2e    the browser alone
 * --proof       the other lane, without the static checks (`npm run test:proof`)
 * --long        both lanes, with the larger version of each proof (`npm run test:long`)
 */
import { findBrowser } from "./browser.mjs";
import { added, check, forgetSettings, prepareCheck, runBrowserTests, runUnitTests, summary } from "./check.mjs";
import { build, checkNode, prepare } from "./prepare.mjs";
import { main, Refusal } from "./project.mjs";

const flags = process.argv.slice(2);
const lane = flags.includes("--long") ? "long" : flags.includes("--proof") ? "proof" : "test";
const only = flags.find((flag) => flag.startsWith("--only="));

await main(async () => {
  const unknown = flags.find((flag) => !["--only=unit", "--only=e2e", "--proof", "--long"].includes(flag));
  if (unknown !== undefined) throw new Refusal("npm test takes --only=unit, --only=e2e, --proof and --long.");
  checkNode();
  forgetSettings();
  if (lane === "long") process.env.QUARTERDECK_LONG = "1";
  await prepare({ withDevelopment: true });
  const counts = [];
  if (only !== "--only=e2e") {
    await prepareCheck();
    counts.push(await (lane === "proof" ? runUnitTests(lane) : check(lane)));
  }
  if (only !== "--only=unit") {
    const [browser] = await Promise.all([findBrowser(), build()]);
    counts.push(await runBrowserTests(browser, lane));
  }
  const all = added(counts);
  console.log(summary(all));
  process.exitCode = all.failed === 0 ? 0 : 1;
});
