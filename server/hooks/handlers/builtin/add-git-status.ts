/** `add_git_status`: gives the model the branch and the changed files. */
import { createContextOutput, createInstructionOutput } from "./context-output.ts";
import { gitText } from "./git-text.ts";
import type { Builtin, BuiltinCall } from "./kind.ts";

const KEY = "core/git-status";
const REMOVED = "Previously reported git status no longer applies.";

export const addGitStatus: Builtin = {
  name: "add_git_status",
  async run(call) {
    const text = await status(call);
    return createContextOutput("turn_start", text && `Current git status:\n\n${text}`);
  },
  changes: {
    "2026-11": async (call) => {
      if (!call.input.cwd) return null;
      const text = await status(call);
      if (text === undefined) {
        return createInstructionOutput("turn_start", { key: KEY, removed: true, removed_content: REMOVED });
      }
      return createInstructionOutput("turn_start", {
        key: KEY,
        label: "git status",
        content: `Current git status:\n\n${text}`,
        changed_content: `The current git status is now:\n\n${text}`,
        removed_content: REMOVED,
      });
    },
  },
};

/** A submodule has its own configuration, so git does not enter it. A moved submodule is still shown. */
function status(call: BuiltinCall): Promise<string | undefined> {
  return gitText(["status", "--short", "--branch", "--ignore-submodules=dirty"], call);
}
