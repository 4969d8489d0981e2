/** `add_git_status`: the branch and what changed, for the model. */
import { createContextOutput } from "./context-output.ts";
import { gitText } from "./git-text.ts";
import type { Builtin } from "./kind.ts";

export const addGitStatus: Builtin = {
  name: "add_git_status",
  async run(call) {
    // A submodule has a configuration of its own, so git is not let into it; a moved one still shows.
    const text = await gitText(["status", "--short", "--branch", "--ignore-submodules=dirty"], call);
    return createContextOutput("turn_start", text && `Current git status:\n\n${text}`);
  },
};
