import { program } from "../local-executor/index.ts";
import { inheritedEnvironment } from "../platform/env.ts";

/** One hook event, as the bundled program does it; the exit code is the verdict's. */
export async function hook(argv: readonly string[]): Promise<void> {
  const [node = "", script = ""] = process.argv;
  await program(argv, inheritedEnvironment(), [node, ...process.execArgv, script, "hook"]);
}
