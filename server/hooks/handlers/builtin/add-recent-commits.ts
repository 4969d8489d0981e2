/** `add_recent_commits`: the newest commits, a line each, for the model. */
import { createContextOutput } from "./context-output.ts";
import { gitText } from "./git-text.ts";
import { parseInteger } from "./integer.ts";
import type { Builtin } from "./kind.ts";

const COMMITS = 10;
/** The largest number that git can count to; the text is cut long before. */
const COMMITS_MAX = 2 ** 31 - 1;

export const addRecentCommits: Builtin = {
  name: "add_recent_commits",
  async run(call) {
    const asked = parseInteger(call.args[0]) ?? 0;
    const count = asked > 0 ? Math.min(asked, COMMITS_MAX) : COMMITS;
    const text = await gitText(["log", "--oneline", "--no-color", "-n", String(count)], call);
    return createContextOutput("session_start", text && `Recent commits:\n\n${text}`);
  },
};
