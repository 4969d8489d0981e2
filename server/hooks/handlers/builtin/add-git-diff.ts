/** `add_git_diff`: the unstaged changes, counted or in full, for the model. */
import { createContextOutput } from "./context-output.ts";
import { gitText } from "./git-text.ts";
import type { Builtin } from "./kind.ts";

const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty"];

export const addGitDiff: Builtin = {
  name: "add_git_diff",
  async run(call) {
    const isFull = call.args[0] === "full";
    const text = await gitText(["diff", ...PLAIN, ...(isFull ? [] : ["--stat"])], call);
    return createContextOutput("turn_start", text && `Current working-tree diff${isFull ? "" : " (stat)"}:\n\n${text}`);
  },
};
