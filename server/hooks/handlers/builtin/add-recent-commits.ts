/** `add_recent_commits`: the newest commits, a line each, for the model. */
import { context } from "./context.ts";
import { gitText } from "./git-text.ts";
import { strictInteger } from "./integer.ts";
import type { Builtin } from "./kind.ts";

const COMMITS = 10;
/** The largest number that git can count to; the text is cut long before. */
const COMMITS_MAX = 2 ** 31 - 1;

export const addRecentCommits: Builtin = {
  name: "add_recent_commits",
  async run(call) {
    const asked = strictInteger(call.args[0]) ?? 0;
    const count = asked > 0 ? Math.min(asked, COMMITS_MAX) : COMMITS;
    const text = await gitText(["log", "--oneline", "--no-color", "-n", String(count)], call);
    return context("session_start", text && `Recent commits:\n\n${text}`);
  },
};
