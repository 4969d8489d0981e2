import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Refusal } from "./refusal.ts";

/** JavaScript, because the command line is bundled with it (scripts/programs.mjs). */
const RUNNER = fileURLToPath(new URL("../hooks/conformance/main.ts", import.meta.url));

/** The core's own runner on `files`, in its own process: the core is its own program, with its own output and exit code. */
export async function conformance(files: readonly string[], profile: string | undefined): Promise<void> {
  const args = profile === undefined ? files : [...files, "--profile", profile];
  const child = spawn(process.execPath, [RUNNER, ...args], { stdio: "inherit" });
  const code = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (exitCode) => resolve(exitCode ?? 1));
  });
  if (code !== 0) throw new Refusal("", code === 2 ? 2 : 1);
}
