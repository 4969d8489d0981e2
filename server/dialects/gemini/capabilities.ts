/** The powers of hooks in Gemini CLI. */
import { type ClientCapabilities, gate, observer } from "../capabilities.ts";

export const gemini: ClientCapabilities = {
  title: "Gemini CLI",
  transports: ["command"],
  enforcedFrom: "0.61.0",
  evidence: "client",
  events: {
    BeforeTool: gate("pre_tool_use", { deny: "held", ask: "denied", rewriteInput: "held", stop: "held" }),
    AfterTool: gate("post_tool_use", { rewriteOutput: "held", stop: "held" }, "context"),
    BeforeAgent: gate("user_prompt_submit", { deny: "held" }, "context"),
    AfterAgent: observer("stop"),
    BeforeModel: gate("before_llm_call", { deny: "held", rewriteInput: "denied", stop: "held" }),
    AfterModel: observer("after_llm_call"),
    BeforeToolSelection: observer(null),
    SessionStart: observer("session_start", "context"),
    SessionEnd: observer("session_end"),
    PreCompress: gate("pre_compact", { deny: { gap: "The compaction continues." } }),
    Notification: observer("on_user_input"),
  },
  onTimeout: { plain: "runs", enrolled: "blocked" },
  onErrorStatus: { plain: "blocked", enrolled: "blocked" },
  onUnknownKey: "key ignored",
  blindSpots: [
    "`hooksConfig.disabled` in the user's settings switches off even the system's hook by its name.",
    "In a folder that is not trusted no hook from settings runs.",
    "System settings in a folder that group or others may write to are skipped with a warning.",
    "A question is asked only where the enrolment says that a person sits there: without one it would wait for ever.",
    "Calls carry no id: a call and its result are joined by session, tool and arguments.",
  ],
};
