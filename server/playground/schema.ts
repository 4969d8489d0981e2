/** Schemas of the playground: its requests, its reports, and the test cases of a policy. */

import { EVENTS, type EventName, LANES } from "@quarterdeck/hooks/contract/events";
import { JUDGE_CAUSES } from "@quarterdeck/hooks/contract/judge";
import { z } from "zod";
import { POLICY_SOURCE_BYTES_MAX } from "../policies/schema.ts";

export const INPUT_BYTES_MAX = 4 * 1024 * 1024;
/** A run in the playground, all hooks together. */
export const RUN_MS_MAX = 60_000;
/** Runs of one person at a time; more are refused. Comparing takes two. */
export const RUNS_AT_ONCE_MAX = 4;
export const CASES_MAX = 200;
/** A case keeps an input a person can still read; larger ones are for the playground. */
export const CASE_INPUT_BYTES_MAX = 256 * 1024;

const bytesOf = (text: string) => new TextEncoder().encode(text).length;
const storable = (text: string) => !text.includes("\0");
const word = (max: number) => z.string().min(1).max(max).refine(storable, "The text holds a NUL character. Remove it.");

const eventName = z.enum(Object.keys(EVENTS) as [EventName, ...EventName[]], "This is no hook event."); // holds: a table of events has only its own keys
const lane = z.enum(LANES);

/** The input as JSON text, shared by the form and the JSON editor. */
const inputText = (bytesMax: number, size: string) =>
  z.string().refine((text) => bytesOf(text) <= bytesMax, `An input has at most ${size} here.`);

/** The subject of a run: an unsaved text, the policy in force, or a revision. */
export const playgroundSubject = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("text"),
    source: z.string().refine((text) => bytesOf(text) <= POLICY_SOURCE_BYTES_MAX, "A policy has at most 512 KiB."),
  }),
  z.strictObject({ kind: z.literal("live") }),
  z.strictObject({ kind: z.literal("revision"), number: z.number().int().min(1).max(2_147_483_647) }),
]);
export type PlaygroundSubject = z.infer<typeof playgroundSubject>;

export const playgroundRun = z.strictObject({
  /** Whose text it is; without it only a text can be run. */
  policyId: z.uuid().optional(),
  subject: playgroundSubject,
  /** Runs it in its position among everything that binds this agent; alone if absent. */
  besideAgentId: z.uuid().optional(),
  event: eventName,
  lane: lane.default("default"),
  input: inputText(INPUT_BYTES_MAX, "4 MiB"),
  /** Puts questions to real models, which cost money. */
  askJudges: z.boolean().default(false),
  /** Runs command hooks of `run_on: agent` too, in the server's sandbox. */
  runAgentHooks: z.boolean().default(false),
});
export type PlaygroundRun = z.infer<typeof playgroundRun>;

/** A text as far as it is shown; `bytes` is its whole size. */
const cutText = z.strictObject({ text: z.string(), bytes: z.number(), isCut: z.boolean() });
export type CutText = z.infer<typeof cutText>;

/** The Result after a hook; texts that are too long are cut. */
export const stepView = z.strictObject({
  allowed: z.boolean(),
  decision: z.enum(["", "allow", "ask", "deny"]),
  approved: z.boolean(),
  reason: z.string(),
  message: z.string(),
  systemMessage: z.string(),
  context: z.string(),
  summary: z.string(),
  metadata: z.record(z.string(), z.string()).nullable(),
  /** The agent that works on, by a hook's choice. */
  route: z.string().nullable(),
  /** The labels of the instructions for the agent. */
  instructions: z.array(z.string()),
  exitCode: z.number(),
  /** The payload rewritten up to this step: an index into `texts`; null without a rewrite. */
  rewritten: z.number().nullable(),
});
export type StepView = z.infer<typeof stepView>;

const ranView = z.strictObject({
  /** The hook's input, as an index into `texts`; in a chain it includes earlier rewrites. */
  stdin: z.number().nullable(),
  stdout: z.number(),
  stderr: z.number(),
  exitCode: z.number().nullable(),
  startedMs: z.number(),
  durationMs: z.number(),
  outcome: z.string(),
  said: z.string(),
  blocked: z.boolean(),
  error: z.string().nullable(),
  /** A judge that was not put its question. */
  isUnasked: z.boolean(),
  judge: z
    .strictObject({
      model: z.string(),
      prompt: z.string().nullable(),
      reply: z.string().nullable(),
      cause: z.string().nullable(),
      /** Digits of nano-dollars; null when there was no answer or it has no price. */
      costNano: z.string().nullable(),
    })
    .nullable(),
  /** The Result when this hook had been folded in. */
  step: stepView.nullable(),
});

export const CHOICES = ["ran", "not_matched", "duplicate", "other_lane", "on_agent", "overloaded"] as const;

export const playgroundHook = z.strictObject({
  policy: z.string(),
  /** True if the hook is from the policy under test; false for another policy in force. */
  isSubject: z.boolean(),
  path: z.string(),
  name: z.string(),
  type: z.string(),
  runsOn: z.enum(["server", "agent"]),
  choice: z.enum(CHOICES),
  /** The reason why it did not run, in words; "" when it did. */
  why: z.string(),
  ran: ranView.nullable(),
});
export type PlaygroundHook = z.infer<typeof playgroundHook>;

/** `unknown`: the verdict hangs on a hook that was not asked. */
export const PLAYGROUND_VERDICTS = ["allow", "ask", "deny", "none", "unknown"] as const;

export const playgroundReport = z.strictObject({
  profile: z.string(),
  event: z.string(),
  lane: z.string(),
  verdict: z.enum(PLAYGROUND_VERDICTS),
  says: z.string(),
  /** Hooks whose answer is missing, and why. The verdict is complete if the list is empty. */
  missing: z.array(z.strictObject({ path: z.string(), name: z.string(), why: z.string() })),
  hooks: z.array(playgroundHook),
  /** Hooks that are not listed because there are too many. */
  hooksLeftOut: z.number(),
  result: stepView,
  /** The hook output JSON that an agent would be answered. */
  answer: cutText,
  durationMs: z.number(),
  texts: z.array(cutText),
  /** Notes on the run: replaced and truncated parts. */
  notes: z.array(z.string()),
});
export type PlaygroundReport = z.infer<typeof playgroundReport>;

// Recorded dispatches.

const instant = z.date().min(new Date("2000-01-01T00:00:00Z")).max(new Date("2100-01-01T00:00:00Z"));
export const dispatchKey = z.strictObject({ occurredAt: instant, id: z.uuid() });
export type DispatchKey = z.infer<typeof dispatchKey>;

export const listRecorded = z.strictObject({
  event: eventName,
  agentId: z.uuid().optional(),
  tool: z.string().max(200).default(""),
  /** Literal text, found in the beginning of the input without regard to case. */
  text: z.string().max(200).default(""),
});
export type ListRecorded = z.infer<typeof listRecorded>;

export const recordedView = dispatchKey.extend({
  agentId: z.uuid(),
  agentName: z.string(),
  event: z.string(),
  lane: z.string(),
  tool: z.string(),
  verdict: z.string(),
  /** The argument a person reads first, cut. */
  excerpt: z.string(),
});
export type RecordedView = z.infer<typeof recordedView>;

export const recordedInput = recordedView.extend({
  input: z.string(),
  /** The policies that bind its agent now. */
  governedBy: z.array(z.strictObject({ policyId: z.uuid(), name: z.string(), revision: z.number() })),
});
export type RecordedInput = z.infer<typeof recordedInput>;

// Cases.

/** The expectations of a case. All of them must hold. */
export const caseExpectation = z
  .strictObject({
    verdict: z.enum(["allow", "ask", "deny", "none"]).optional(),
    allowed: z.boolean().optional(),
    /** A part of the message, of the decision's reason, or of the text for the user. */
    message: word(2_000).optional(),
    /** Found in the context given to the model. */
    context: word(2_000).optional(),
    /** The payload the tool or model gets instead, whole; null: it is not rewritten. */
    rewritten: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown()), z.string(), z.null()]).optional(),
    /** The outcomes of single hooks, by name or path: a verdict, or `not_run`. */
    hooks: z.record(word(500), word(40)).optional(),
  })
  .refine((expect) => Object.values(expect).some((value) => value !== undefined), "A case expects at least one thing.");
export type CaseExpectation = z.infer<typeof caseExpectation>;

/** A judge's answer as it is played back; `fails` is the reason for a missing one. */
export const judgeReply = z.union([
  z.strictObject({ hook: word(500), reply: z.string().max(65_536).refine(storable) }),
  z.strictObject({ hook: word(500), fails: z.enum(JUDGE_CAUSES) }),
]);
export type JudgeReply = z.infer<typeof judgeReply>;

export const policyCase = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, "Give the case a name.")
    .max(120, "A name has at most 120 characters.")
    .refine(storable, "The name holds a NUL character. Remove it."),
  event: eventName,
  lane: lane.default("default"),
  input: inputText(CASE_INPUT_BYTES_MAX, "256 KiB").refine(storable, "The input holds a NUL character. Remove it."),
  expect: caseExpectation,
  judgeReplies: z.array(judgeReply).max(50).default([]),
  /** Keeps apparent secrets in the input. For made-up secrets only. */
  keepsSecrets: z.boolean().default(false),
  /** Runs command hooks of `run_on: agent` too, in the sandbox. */
  runsAgentHooks: z.boolean().default(false),
});
export type PolicyCase = z.infer<typeof policyCase>;

export const saveCase = policyCase.extend({ policyId: z.uuid(), caseId: z.uuid().optional() });
export type SaveCase = z.infer<typeof saveCase>;
export const caseById = z.strictObject({ policyId: z.uuid(), caseId: z.uuid() });
export type CaseById = z.infer<typeof caseById>;
export const casesOf = z.strictObject({ policyId: z.uuid() });

/** The outcome of a case, in words. */
export const caseOutcome = z.strictObject({
  passed: z.boolean(),
  /** The differences; empty when it passed. */
  differs: z.array(z.string()),
  verdict: z.enum(PLAYGROUND_VERDICTS),
  durationMs: z.number(),
});
export type CaseOutcome = z.infer<typeof caseOutcome>;

export const caseView = policyCase.extend({
  id: z.uuid(),
  /** Something in the input was masked when it was saved. */
  isMasked: z.boolean(),
  createdBy: z.string(),
  updatedAt: z.date(),
  /** Its last run, on any text. */
  last: z
    .strictObject({ passed: z.boolean(), differs: z.array(z.string()), at: z.date(), sha256: z.string() })
    .nullable(),
});
export type CaseView = z.infer<typeof caseView>;

export const runCases = z.strictObject({
  policyId: z.uuid(),
  subject: playgroundSubject,
  caseIds: z.array(z.uuid()).max(CASES_MAX).optional(),
});
export type RunCases = z.infer<typeof runCases>;
export const caseRunView = z.strictObject({
  /** The hash of the text that the cases ran against. */
  sha256: z.string(),
  durationMs: z.number(),
  cases: z.array(caseOutcome.extend({ id: z.uuid(), name: z.string() })),
});
export type CaseRunView = z.infer<typeof caseRunView>;

export const runCasesByName = z.strictObject({
  name: z.string().min(1).max(64),
  on: z.enum(["draft", "live"]).default("draft"),
});
export type RunCasesByName = z.infer<typeof runCasesByName>;

export const CASE_FILE_BYTES_MAX = 1024 * 1024;
export const importCases = z.strictObject({
  policyId: z.uuid(),
  file: z.string().refine((text) => bytesOf(text) <= CASE_FILE_BYTES_MAX, "A file of cases has at most 1 MiB."),
});
export const importedCases = z.strictObject({ added: z.number(), replaced: z.number() });
