/** The capabilities of our opencode plugin, which uses the native protocol. */
import { type ClientCapabilities, gate, observer, REPLACEABLE_RESULT } from "../capabilities.ts";

export const opencode: ClientCapabilities = {
  title: "opencode",
  transports: ["plugin"],
  enforcedFrom: "1.18.33",
  evidence: "client",
  events: {
    pre_tool_use: gate("pre_tool_use", { deny: "held", ask: "denied", rewriteInput: "held", stop: "denied" }),
    post_tool_use: { ...REPLACEABLE_RESULT, addsContext: false },
    user_prompt_submit: gate("user_prompt_submit", { deny: "held" }),
    session_start: observer("session_start"),
    stop: observer("stop"),
    on_user_input: observer("on_user_input"),
    notification: observer("notification"),
  },
  onTimeout: { plain: "runs", enrolled: "blocked" },
  onErrorStatus: { plain: "runs", enrolled: "blocked" },
  onUnknownKey: "key ignored",
  blindSpots: [
    "A plugin that throws while it loads is skipped, and the user may delete the file.",
    "`permission.ask` is declared and never called: a person cannot be asked.",
  ],
};
