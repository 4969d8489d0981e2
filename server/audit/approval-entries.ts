/** The entries about approvals, exceptions and halts. */
import { z } from "zod";
import { entry, number, ownEntry, text } from "./entry-shape.ts";

const riskClass = z.enum(["low", "medium", "high", "critical"]);

const haltFields = {
  halt: text,
  scope: z.enum(["workspace", "group", "agent", "session"]),
  about: text,
  isQuarantine: z.boolean(),
  group: text.optional(),
  agent: text.optional(),
  session: text.optional(),
  reason: text,
};

export const APPROVAL_ENTRIES = [
  /** `about`: the name of the group or agent, or the session's id; empty for the workspace. */
  entry("halted", haltFields),
  entry("halt_resumed", haltFields),
  /**
   * A call that people are asked about; the request's number is this entry's number. The agent asked, so it names no
   * person.
   */
  ownEntry("approval_requested", {
    approval: text,
    agent: text,
    tool: text,
    inputSha256: text,
    isWaiting: z.boolean(),
    peopleNeeded: number,
    riskClass: riskClass.optional(),
  }),
  /** The rules for who answers which calls, and what happens until they do; people by their ids. */
  entry("approver_rules_set", {
    toolRisks: z.array(z.strictObject({ tool: text, risk: riskClass })),
    twoPeopleFrom: riskClass.nullable(),
    confirmFrom: riskClass.nullable(),
    remindAfterSeconds: number.nullable(),
    lists: z.array(z.strictObject({ name: text, from: riskClass, people: z.array(text), forSeconds: number })),
  }),
  /** Nobody had answered them, so people were reminded. */
  ownEntry("approvals_reminded", { approvals: z.array(z.strictObject({ approval: text, number })) }),
  /** Nobody had answered them, so the next list is asked too. */
  ownEntry("approvals_escalated", { approvals: z.array(z.strictObject({ approval: text, number, to: text })) }),
  /** `isLast`: it settled the request. `edited`: the sha256 of the input that is to run instead. */
  entry("approval_answered", {
    approval: text,
    number,
    agent: text,
    outcome: z.enum(["allow", "deny"]),
    words: text,
    isLast: z.boolean(),
    edited: text.nullable(),
  }),
  ownEntry("approvals_lapsed", { approvals: z.array(z.strictObject({ approval: text, number })) }),
  /** An allowance was withdrawn before the call was made. */
  entry("approval_withdrawn", { approval: text, number, agent: text }),
  /**
   * `rules`: those whose verdicts on its calls are lifted, including denials if it says so. Without a command, it
   * covers exactly the input of the request `number`, or of the denied call `dispatch`. The exception's number, EX-n,
   * is this entry's.
   */
  entry("exception_made", {
    exception: text,
    number: number.nullable(),
    scope: z.enum(["workspace", "group", "agent", "session"]),
    about: text,
    tool: text,
    inputSha256: text.nullable(),
    command: z.array(text).nullable(),
    rules: z.array(z.strictObject({ policy: text, path: text, sha256: text })),
    expiresAt: text,
    reason: text,
    lifts: z.enum(["question", "verdict"]).optional(),
    dispatch: text.optional(),
  }),
  /** `owner`: the id of the person asked to review it; empty when unknown. */
  ownEntry("exceptions_lapsed", {
    exceptions: z.array(z.strictObject({ exception: text, number: number.nullable(), owner: text })),
  }),
  entry("exception_reviewed", { exception: text, number: number.nullable(), words: text }),
  entry("exception_ended", { exception: text, number: number.nullable(), about: text, reason: text }),
] as const;
