/** Bubblewrap for the tests: they try hooks in each sandbox, and one that is not installed is a failed test, not a skipped one. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run, say } from "./project.mjs";

/** Installs bubblewrap where that takes nothing but Debian and root; elsewhere says what is missing. */
export async function ensureBubblewrap() {
  if (process.platform !== "linux" || isInstalled()) return;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    say("bubblewrap is not installed: its tests fail. As root: apt install bubblewrap");
    return;
  }
  say("no bubblewrap here; installing Debian's package for the tests of hooks");
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const install = () => run("apt-get", ["install", "-y", "--no-install-recommends", "bubblewrap"], { env });
  if ((await install()).code === 0) return;
  await run("apt-get", ["update"]);
  if ((await install()).code !== 0) say("bubblewrap could not be installed: its tests fail");
}

function isInstalled() {
  return [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin", "/bin"]
    .filter((folder) => folder !== "")
    .some((folder) => existsSync(join(folder, "bwrap")));
}
