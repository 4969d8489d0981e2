/** The output of git, short enough for a model. */

import { firstBytesAsText } from "./cut-utf8.ts";
import { gitComparing } from "./git.ts";
import type { BuiltinCall } from "./kind.ts";

const TEXT_BYTES_MAX = 4_096;
/** The read limit leaves space for leading white space and shows whether more follows. */
const READ_BYTES_MAX = 64 * 1024;

/** The trimmed stdout of git in the input's directory, at most 4096 bytes and a mark. Undefined on failure or without a directory. */
export async function gitText(
  args: readonly string[],
  { input, env, signal, log }: BuiltinCall,
): Promise<string | undefined> {
  if (!input.cwd) return undefined;
  const ran = await gitComparing({ args, cwd: input.cwd, env, signal, stdoutBytesMax: READ_BYTES_MAX });
  if (!ran.ok) {
    log?.(`git ${args[0] ?? ""}: ${ran.why}`);
    return undefined;
  }
  const bytes = Buffer.from(ran.stdout.toString("utf8").trim());
  return bytes.length > TEXT_BYTES_MAX
    ? `${firstBytesAsText(bytes, TEXT_BYTES_MAX)}\n... (truncated)`
    : bytes.toString("utf8");
}
