import type { Pack } from "../pack.ts";

export const secretsOut: Pack = {
  id: "secrets-out",
  title: "Secrets out",
  version: 3,
  promise: "Keys, tokens and passwords are taken out before a tool, a model or a log sees them.",
  denies: "",
  asks: "",
  changes:
    "what looks like a key, token or password becomes `[REDACTED]`: in the arguments of tools, in messages to the model and in answers of tools.",
  passes: "every call, with `[REDACTED]` in place of what looks like a credential.",
  limits:
    "It knows shapes. A password that looks like a word, and a secret cut in pieces or encoded, is not seen. A call that needs the secret in its text will fail: give it the name of a variable. On the server, secrets have left the agent's machine by then; with the local executor write `run_on: agent`.",
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
