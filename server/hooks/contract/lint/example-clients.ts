/**
 * Two clients for the examples of rules, with a part of their tables. server/dialects/known-client.test.ts checks them against the
 * full tables.
 */
import type { ClientEvent, ClientKnown } from "../client-known.ts";

const NOTHING = { deny: "none", ask: "none", rewriteInput: "none", rewriteOutput: "none", stop: "none" } as const;
/** Seconds. */
const AT_ONCE = 8;
const CALL = { ...NOTHING, name: "PreToolUse", addsContext: true } as const;
const RESULT: ClientEvent = {
  ...NOTHING,
  name: "PostToolUse",
  rewriteOutput: "held",
  stop: { gap: "The reason replaces the result, and the run continues." },
  addsContext: true,
  waitSeconds: AT_ONCE,
};
const FAILED_RESULT: ClientEvent = {
  ...NOTHING,
  name: "PostToolUseFailure",
  rewriteOutput: { gap: "The error of a failed tool reaches the model as it is." },
  stop: { gap: "The run continues after a failed tool." },
  addsContext: true,
  waitSeconds: AT_ONCE,
};

export const CODEX: ClientKnown = {
  name: "codex",
  title: "Codex",
  tools: { shell: ["Bash"], edit: ["apply_patch"] },
  events: {
    pre_tool_use: [{ ...CALL, deny: "held", ask: "denied", rewriteInput: "held", stop: "denied", waitSeconds: 110 }],
    post_tool_use: [RESULT],
    user_prompt_submit: [
      { ...NOTHING, name: "UserPromptSubmit", deny: "held", addsContext: true, waitSeconds: AT_ONCE },
    ],
  },
};

export const QWEN: ClientKnown = {
  name: "qwen",
  title: "Qwen Code",
  tools: { shell: ["run_shell_command"] },
  events: {
    pre_tool_use: [{ ...CALL, deny: "held", ask: "held", rewriteInput: "denied", stop: "held", waitSeconds: 50 }],
    post_tool_use: [RESULT, FAILED_RESULT],
  },
};
