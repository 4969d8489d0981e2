import type { EventName, Lane, Profile } from "../contract/events.ts";
import type { HookOutput } from "../contract/output.ts";
import type { DispatchReport } from "./report.ts";
import type { Decision, Result } from "./result.ts";

export type Verdict = Decision | "none";

/** What the server answers an agent with: hook output that means the same Result. */
export function answerOf(_result: Result, _event: EventName, _lane: Lane, _profile: Profile): HookOutput {
  throw new Error("not written yet");
}
/** The verdict of a dispatch in one word. */
export function verdictOf(_result: Result, _event: EventName): Verdict {
  throw new Error("not written yet");
}
/** One sentence: who decided, or what failed. */
export function explain(_report: DispatchReport): string {
  throw new Error("not written yet");
}
/** The Result of a failure of ours. */
export function deniedBy(_event: EventName, _profile: Profile, _sentence: string): Result {
  throw new Error("not written yet");
}
