import type { Pack } from "../pack.ts";

export const secretsOut: Pack = {
  id: "secrets-out",
  title: "Secrets out",
  version: 3,
  promise: "Keys, tokens and passwords are taken out before a tool, a model or a log sees them.",
  denies: "",
  asks: "",
  changes:
    "likely keys, tokens and passwords become `[REDACTED]` in tool arguments, tool answers and messages to the model.",
  passes: "every call, with `[REDACTED]` in place of likely credentials.",
  limits:
    "It recognizes formats. It does not see a password that looks like a word, or a split or encoded secret. A call that needs the secret in its text will fail: use a variable instead. On the server, secrets have already left the agent's machine. With the local executor, write `run_on: agent`.",
  source: `# Three doors a secret goes through: into a tool, into the model, out of a tool.
profile: "2026-11"
hooks:
  pre_tool_use:
    # On the default lane: the preempt lane changes no arguments.
    - matcher: "*"
      hooks:
        - {name: secrets out of arguments, type: builtin, command: redact_secrets}
  before_llm_call:
    - {name: secrets out of messages, type: builtin, command: redact_secrets, on_error: block}
  tool_response_transform:
    - matcher: "*"
      hooks:
        - {name: secrets out of answers, type: builtin, command: redact_secrets}
`,
};
