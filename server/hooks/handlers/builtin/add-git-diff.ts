/** `add_git_diff`: gives the model the unstaged changes, as counts or in full. */
import { createContextOutput, createInstructionOutput } from "./context-output.ts";
import { gitText } from "./git-text.ts";
import type { Builtin, BuiltinCall } from "./kind.ts";

const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty"];
const KEY = "core/git-diff";
const CLEAN = "The working tree no longer has a diff.";
const UNKNOWN = "The previously reported working-tree diff no longer applies.";

export const addGitDiff: Builtin = {
  name: "add_git_diff",
  async run(call) {
    const text = await diff(call);
    return createContextOutput("turn_start", text && `${heading(call)}\n\n${text}`);
  },
  changes: {
    "2026-11": async (call) => {
      if (!call.input.cwd) return null;
      const text = await diff(call);
      if (text === undefined || text === "") {
        const removed_content = text === "" ? CLEAN : UNKNOWN;
        return createInstructionOutput("turn_start", { key: KEY, removed: true, removed_content });
      }
      return createInstructionOutput("turn_start", {
        key: KEY,
        label: "working-tree diff",
        content: `${heading(call)}\n\n${text}`,
        changed_content: `The current working-tree diff is now:\n\n${text}`,
        removed_content: CLEAN,
      });
    },
  },
};

function diff(call: BuiltinCall): Promise<string | undefined> {
  return gitText(["diff", ...PLAIN, ...(isFull(call) ? [] : ["--stat"])], call);
}

function heading(call: BuiltinCall): string {
  return `Current working-tree diff${isFull(call) ? "" : " (stat)"}:`;
}

function isFull({ args }: BuiltinCall): boolean {
  return args[0] === "full";
}
