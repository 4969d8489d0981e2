/** `add_recent_commits`: gives the model the newest commits, one on each line. */
import { createContextOutput, createInstructionOutput } from "./context-output.ts";
import { gitText } from "./git-text.ts";
import { parseInteger } from "./integer.ts";
import type { Builtin, BuiltinCall } from "./kind.ts";

const COMMITS = 10;
/** git's maximum count. The text is truncated long before. */
const COMMITS_MAX = 2 ** 31 - 1;

const KEY = "core/recent-commits";
const REMOVED = "Previously reported recent commits no longer apply.";

export const addRecentCommits: Builtin = {
  name: "add_recent_commits",
  async run(call) {
    const text = await commits(call);
    return createContextOutput("session_start", text && `Recent commits:\n\n${text}`);
  },
  changes: {
    "2026-11": async (call) => {
      if (!call.input.cwd) return null;
      const text = await commits(call);
      if (text === undefined || text === "") {
        return createInstructionOutput("session_start", { key: KEY, removed: true, removed_content: REMOVED });
      }
      return createInstructionOutput("session_start", {
        key: KEY,
        label: "recent commits",
        content: `Recent commits:\n\n${text}`,
        changed_content: `The recent commits are now:\n\n${text}`,
        removed_content: REMOVED,
      });
    },
  },
};

function commits(call: BuiltinCall): Promise<string | undefined> {
  const asked = parseInteger(call.args[0]) ?? 0;
  const count = asked > 0 ? Math.min(asked, COMMITS_MAX) : COMMITS;
  return gitText(["log", "--oneline", "--no-color", "-n", String(count)], call);
}
