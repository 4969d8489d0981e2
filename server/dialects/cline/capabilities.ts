/** The powers of hooks in Cline. */
import { type ClientCapabilities, gate, observer } from "../capabilities.ts";

export const cline: ClientCapabilities = {
  title: "Cline",
  transports: ["command"],
  enforcedFrom: "3.0.65",
  evidence: "client",
  events: {
    tool_call: gate("pre_tool_use", { deny: "held", ask: "denied", rewriteInput: "denied", stop: "held" }, "context"),
    tool_result: gate("post_tool_use", { rewriteOutput: "ended", stop: "held" }, "context"),
    prompt_submit: gate("user_prompt_submit", { deny: "held" }),
    agent_start: observer("session_start"),
    agent_resume: observer("session_start"),
    agent_end: observer("stop"),
    agent_abort: observer("turn_end"),
    agent_error: observer("on_error"),
    session_shutdown: observer("session_end"),
  },
  onTimeout: { plain: "runs", enrolled: "blocked" },
  onErrorStatus: { plain: "runs", enrolled: "blocked" },
  onUnknownKey: "key ignored",
  blindSpots: [
    "A denial ends the whole run.",
    "Exit codes do nothing, and every failure of a hook lets the call run: the command prints the refusal itself.",
    "Headless runs send no prompts.",
    "The hooks are files that the user may delete.",
  ],
};
