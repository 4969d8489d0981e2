/** The files that enrol Qwen Code. Its HTTP hooks fail open, so every hook is a command. */
import { type HookSeconds, secondsOf } from "../enrolment.ts";
import { createEnrolment } from "../settings-enrolment.ts";

/** Qwen Code runs a call if its hooks have not answered after 60 seconds, whatever their own time-out. */
const FOR_A_PERSON: HookSeconds = { client: 60, relay: 50, wait: 45 };

export const qwenSeconds = (event: string): HookSeconds =>
  secondsOf(event).wait > 0 ? FOR_A_PERSON : secondsOf(event);

export const enrolQwen = createEnrolment({
  client: "qwen",
  secondsFor: qwenSeconds,
  /** Time-outs are milliseconds. Version 0.15 knows no other unit; later ones read only a number below 1000 as seconds. */
  hookOf: ({ command, seconds }) => [
    { hooks: [{ name: "quarterdeck", type: "command", command, timeout: seconds.client * 1_000 }] },
  ],
  events: {
    PreToolUse: "exit",
    PermissionRequest: "permission",
    PostToolUse: "ignore",
    PostToolUseFailure: "ignore",
    UserPromptSubmit: "exit",
    SessionStart: "ignore",
    SessionEnd: "ignore",
    Stop: "ignore",
    StopFailure: "ignore",
    SubagentStart: "ignore",
    SubagentStop: "ignore",
    PreCompact: "exit",
    PostCompact: "ignore",
    Notification: "ignore",
  },
});
