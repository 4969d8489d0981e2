import {
  APPROVAL_SOURCE_KINDS,
  APPROVAL_SOURCES,
  type ApprovalSourceText,
} from "@quarterdeck/hooks/contract/approval-sources";
import { z } from "zod";
import { callPrincipal, certainty, personFilter } from "../access/principal-schema.ts";
import { approvalState } from "../approvals/approval-state-schema.ts";
import { followUpMark } from "../follow-ups/follow-up-mark-schema.ts";
import { storedHook } from "../recording/schema.ts";
import { callOutcome, DECISION_OUTCOMES } from "./call-outcome-schema.ts";

const instant = z.date().min(new Date("2000-01-01T00:00:00Z")).max(new Date("2100-01-01T00:00:00Z"));

/** The event that a decision was made for. */
export const decisionKey = z.strictObject({ occurredAt: instant, id: z.uuid() });
export type DecisionKey = z.infer<typeof decisionKey>;

export const decisionRange = z
  .strictObject({ from: instant, to: instant })
  .refine(({ from, to }) => from < to, "The range must end after it starts.");
export type DecisionRange = z.infer<typeof decisionRange>;

/** `gate`: a verdict of hooks run here; `final`: how the agent's own approval chain resolved the call. */
export const DECISION_KINDS = ["gate", "final"] as const;

const values = z.array(z.string().max(2_000)).max(20).default([]);

/** Values of one field mean any of them; fields, all of them. Compared whole and as written. */
export const decisionFilters = z.strictObject({
  verdict: values,
  by: z.array(z.enum(DECISION_KINDS)).max(2).default([]),
  source: values,
  tool: values,
  agent: values,
  /** Ids of people and services that calls were made for, or "unknown". */
  person: personFilter,
  session: values,
  /** The policy and the rule that decided, as they were called then. Only decisions of policies match. */
  policy: values,
  rule: values,
  /** The agent's current groups. */
  group: values,
  /** The kinds of approval source of a final decision; a judge's is a hook's here, as the agent reports it. */
  settled: z.array(z.enum(APPROVAL_SOURCE_KINDS)).max(APPROVAL_SOURCE_KINDS.length).default([]),
  /** The outcomes of calls; decisions of other calls do not match. */
  outcome: z.array(z.enum(DECISION_OUTCOMES)).max(DECISION_OUTCOMES.length).default([]),
  /** Follow-ups of calls: the name of the assignee, the keywords, and traits. */
  assignee: values,
  keyword: values,
  has: z
    .array(z.enum(["comments"]))
    .max(1)
    .default([]),
  /** Literal text, found in the excerpt or the reason without regard to case. */
  text: z.string().max(200).default(""),
});
export type DecisionFilters = z.infer<typeof decisionFilters>;

export const listDecisions = z.strictObject({
  range: decisionRange,
  filters: decisionFilters.prefault({}),
  order: z.enum(["newest", "oldest"]).default("newest"),
  /** The end of the previous page. */
  cursor: decisionKey.nullish(),
  /** Said by infinite queries of the browser; pages only ever go forward. */
  direction: z.enum(["forward", "backward"]).optional(),
  limit: z.number().int().min(1).max(200).default(100),
});
export type ListDecisions = z.infer<typeof listDecisions>;

/** The filters for a count of the decisions from an instant on. */
export const countDecisionsInput = z.strictObject({ range: decisionRange, filters: decisionFilters.prefault({}) });
export type CountDecisionsInput = z.infer<typeof countDecisionsInput>;
/** The maximum number of calls in one evidence file. */
export const EVIDENCE_CALLS_MAX = 1_000;
export const EVIDENCE_KEYS_MAX = 100;
/** The decisions that a filter finds; with `decisions`, only these among them. */
export const evidenceInput = countDecisionsInput.extend({
  decisions: z.array(decisionKey).min(1).max(EVIDENCE_KEYS_MAX).optional(),
  /** `archive`: the file with a cover in HTML and in PDF. */
  form: z.enum(["lines", "archive"]).default("lines"),
});
export type EvidenceInput = z.infer<typeof evidenceInput>;
export const evidence = z.strictObject({
  /** JSON lines (server/audit/evidence-lines.ts); null in an answer with an archive. */
  text: z.string().nullable(),
  /** A ZIP archive in base64. */
  archive: z.string().nullable(),
  calls: z.number(),
});
export type Evidence = z.infer<typeof evidence>;

/** Counted up to `ARRIVED_MAX`, and among the newest decisions that one page may read. */
export const arrivedView = z.strictObject({ count: z.number(), isWhole: z.boolean() });
export type ArrivedView = z.infer<typeof arrivedView>;
export const ARRIVED_MAX = 1_000;

export const decisionView = z.strictObject({
  occurredAt: z.date(),
  id: z.uuid(),
  kind: z.enum(DECISION_KINDS),
  agentId: z.uuid(),
  agentName: z.string(),
  /** The person or service that the call was made for, by id; null: unknown. */
  principal: z.strictObject({ id: z.uuid(), certainty }).nullable(),
  /** "" outside of any session. */
  sessionId: z.string(),
  event: z.string(),
  tool: z.string(),
  toolUseId: z.string().nullable(),
  /** One of `VERDICTS`, or another word from a newer agent. */
  verdict: z.string(),
  source: z.string(),
  reason: z.string(),
  /** The argument a person reads first, cut at 240 characters. */
  excerpt: z.string(),
});
export type DecisionView = z.infer<typeof decisionView>;

export const decisionPage = z.strictObject({
  rows: z.array(decisionView),
  /** Null at the end of the range. */
  nextCursor: decisionKey.nullable(),
  /** Set when the search stopped at its limit before the page was full: how many it read, and how far it came. */
  searched: z.strictObject({ rows: z.number(), until: z.date() }).nullable(),
});
export type DecisionPage = z.infer<typeof decisionPage>;

/**
 * The hook in a gate's reason, and its text. Reasons are sentences of `explainDispatch`: `Denied by "hook" (where):
 * said.` A sentence of another form is returned as text without a hook.
 */
export function reasonParts(reason: string): { hook: string | null; said: string } {
  const [, hook, said] = REASON.exec(reason) ?? [];
  return hook === undefined ? { hook: null, said: reason } : { hook, said: said === "." ? "" : (said ?? "") };
}
const REASON =
  /^(?:Denied by|Denied because|Allowed by|A person is asked by|Not denied by|Nobody is asked by) "([\s\S]+?)" \([^()]*\)(?:: | failed: | was skipped: )?([\s\S]*)$/;

const facet = z.array(z.strictObject({ value: z.string(), count: z.number() }));
export const decisionFacets = z.strictObject({
  /** The number of decisions counted: the newest of the range, never more than `FACET_ROWS_MAX`. */
  counted: z.number(),
  isWhole: z.boolean(),
  verdict: facet,
  by: facet,
  source: facet,
  tool: facet,
  agent: facet,
  session: facet,
});
export type DecisionFacets = z.infer<typeof decisionFacets>;
export const FACET_ROWS_MAX = 5_000;

/** The final decisions to count: those that allowed the call, those that denied it, or all. */
export const APPROVAL_SOURCE_VERDICTS = ["passed", "refused", "all"] as const;
export const approvalSourcesInput = z
  .strictObject({ from: instant, to: instant, verdict: z.enum(APPROVAL_SOURCE_VERDICTS).default("passed") })
  .refine(({ from, to }) => from < to, "The range must end after it starts.");
export type ApprovalSourcesInput = z.infer<typeof approvalSourcesInput>;

const settlingKind = z.enum(APPROVAL_SOURCE_KINDS);
/** The number of calls that each kind decided; a kind that decided none is left out. */
const settledCounts = z.partialRecord(settlingKind, z.number());

/** The approval sources of the agents' calls, by the agents' own last words, in whole hours. */
export const approvalSourcesView = z.strictObject({
  /** The full hours that cover the requested range. */
  from: z.date(),
  to: z.date(),
  total: z.number(),
  kinds: settledCounts,
  sources: z.array(
    z.strictObject({
      source: z.string(),
      byJudge: z.boolean(),
      verdict: z.string(),
      kind: settlingKind,
      count: z.number(),
    }),
  ),
  /** Agent and tool, the most calls first; at most `SETTLED_LINES_MAX`. */
  lines: z.array(z.strictObject({ agent: z.string(), tool: z.string(), total: z.number(), kinds: settledCounts })),
  /** Calls of agents and tools beyond those. */
  rest: z.number(),
  /** The instant before which no judge is counted: theirs are among the hooks'. Null when it is before the range. */
  judgesSince: z.date().nullable(),
});
export type ApprovalSourcesView = z.infer<typeof approvalSourcesView>;
export const APPROVAL_SOURCE_LINES_MAX = 200;

export const approvalSourceSeriesView = z.strictObject({
  from: z.date(),
  to: z.date(),
  bucketMs: z.number(),
  points: z.array(z.strictObject({ at: z.date(), kind: settlingKind, count: z.number() })),
});
export type ApprovalSourceSeries = z.infer<typeof approvalSourceSeriesView>;

/** Another record of the same tool call. */
export const callRecordView = z.strictObject({
  occurredAt: z.date(),
  id: z.uuid(),
  event: z.string(),
  lane: z.string(),
  origin: z.string(),
  /** The verdict given here; "none" when the event asks for none or no hook had an opinion. */
  verdict: z.string(),
  toolError: z.boolean().nullable(),
  durationUs: z.number(),
  /** True if a hook replaced the response before the model read it. */
  isResponseRewritten: z.boolean(),
  /** A result without a call id that several equal calls could have; it is shown with the oldest. */
  isByOrder: z.boolean(),
  /** Its projection, when it is a decision itself. */
  decision: z.strictObject({ kind: z.enum(DECISION_KINDS), verdict: z.string(), source: z.string() }).nullable(),
});
export type CallRecordView = z.infer<typeof callRecordView>;

/** JSON as stored; cut when it is too long to show. */
const storedText = z.strictObject({ text: z.string(), bytes: z.number(), isCut: z.boolean() });

/** The fields of an answer with a reason: of a block, and of a verdict. */
const SENT_FIELDS = ["reason", "permission_decision_reason"] as const;

export const decisionDetail = decisionView.extend({
  /** With the source, and with the other person whom telemetry names. */
  principalFacts: callPrincipal.nullable(),
  lane: z.string(),
  origin: z.string(),
  receivedAt: z.date(),
  durationUs: z.number(),
  /** The effective revision that answered; "" for a reported event. */
  revision: z.string(),
  /** The revision currently in force for this agent; null if the agent was removed. */
  revisionNow: z.string().nullable(),
  toolInput: z.record(z.string(), z.unknown()).nullable(),
  /** The arguments, or a tool's response, as the hooks replaced them. */
  updatedInput: z.record(z.string(), z.unknown()).nullable(),
  toolResponse: z.string().nullable(),
  updatedToolResponse: z.string().nullable(),
  /** The reason that the agent shows first. */
  answeredReason: z.string(),
  /** Every reason in the answer, in the order in which a runtime uses them: once a call is refused, it reads no further. */
  sentReasons: z.array(z.strictObject({ field: z.enum(SENT_FIELDS), text: z.string() })),
  hooks: z.array(storedHook.extend({ policyId: z.uuid().nullable() })),
  callRecords: z.array(callRecordView),
  input: storedText,
  answer: storedText,
});
export type DecisionDetail = z.infer<typeof decisionDetail>;

/** The sources of calls without a verdict. They are no words of an agent. */
const SILENT_SOURCES: Readonly<Record<string, ApprovalSourceText>> = {
  rules_silent: {
    kind: "unknown",
    label: "no rule objected",
    tone: "unknown",
    says: "Rules ran for this call and gave no verdict.",
  },
  no_rule: { kind: "unknown", label: "no rule ran", tone: "unknown", says: "No rule ran at any gate of this call." },
};

const isApprovalSource = (source: string): source is keyof typeof APPROVAL_SOURCES =>
  Object.hasOwn(APPROVAL_SOURCES, source);

/** The words for a source; one that is not in the table is named as the agent spelled it. */
export function sourceWords(source: string): ApprovalSourceText {
  if (isApprovalSource(source)) return APPROVAL_SOURCES[source];
  const silent = Object.hasOwn(SILENT_SOURCES, source) ? SILENT_SOURCES[source] : undefined;
  if (silent) return silent;
  const [, event, verdict] = /^(\w+)_hook_(allow|ask|deny|rewrite|lifted)$/.exec(source) ?? [];
  if (event !== undefined && verdict === "rewrite")
    return { kind: "hook", label: `${event} hook`, tone: "observe", says: `A ${event} hook rewrote the arguments.` };
  if (event !== undefined && verdict === "lifted")
    return {
      kind: "hook",
      label: "exception",
      tone: "observe",
      says: `An exception lifted the verdict of a ${event} hook.`,
    };
  if (event !== undefined && (verdict === "allow" || verdict === "ask" || verdict === "deny"))
    return { kind: "hook", label: `${event} hook`, tone: verdict, says: `A ${event} hook answered ${verdict}.` };
  if (source === "")
    return {
      kind: "unknown",
      label: "not reported",
      tone: "unknown",
      says: "The agent did not report its approval source.",
    };
  const says = `Unknown source reported by the agent: "${source}".`;
  return { kind: "unknown", label: source.replaceAll("_", " "), tone: "unknown", says };
}

/** The meaning a colour carries; the icons are the page's. */
type WordTone = "allow" | "ask" | "deny" | "canceled" | "error" | "observe" | "unknown";

const VERDICTS = {
  allow: { tone: "allow", word: "Allowed" },
  ask: { tone: "ask", word: "Asks a person" },
  deny: { tone: "deny", word: "Denied" },
  canceled: { tone: "canceled", word: "Canceled" },
  rewrite: { tone: "observe", word: "Rewritten" },
  lifted: { tone: "observe", word: "Excepted" },
  none: { tone: "unknown", word: "No verdict" },
} as const satisfies Record<string, { tone: WordTone; word: string }>;

/** A verdict's tone and word; an unknown verdict is shown as sent. */
export function verdictWords(verdict: string): { tone: WordTone; word: string } {
  if (Object.hasOwn(VERDICTS, verdict)) return VERDICTS[verdict as keyof typeof VERDICTS]; // holds: an own key
  return { tone: "unknown", word: verdict === "" ? "Not said" : verdict };
}

const SAID = {
  deny: { tone: "deny", label: "Denied" },
  block: { tone: "deny", label: "Blocked" },
  ask: { tone: "ask", label: "Asked" },
  allow: { tone: "allow", label: "Allowed" },
  route: { tone: "observe", label: "Routed" },
  rewrite: { tone: "observe", label: "Rewrote" },
  summary: { tone: "observe", label: "Gave a summary" },
  context: { tone: "observe", label: "Added context" },
  metadata: { tone: "observe", label: "Added metadata" },
  message: { tone: "observe", label: "Left a message" },
  failed: { tone: "error", label: "Failed" },
  nothing: { tone: "unknown", label: "No decision" },
} as const satisfies Record<string, { tone: WordTone; label: string }>;

/** The result of one hook, in a word. */
export function hookWords(hook: { readonly said: string; readonly outcome: string }): {
  tone: WordTone;
  label: string;
} {
  if (hook.outcome === "failed") return SAID.failed;
  // Not started: the server had too much to do, or the hook failed too often.
  if (hook.outcome === "skipped") return { tone: "error", label: "Skipped" };
  // In profile 2026-07, an exit code other than 0 and 2 has no effect.
  if (hook.outcome === "ignored") return { tone: "unknown", label: "Exit code ignored" };
  if (Object.hasOwn(SAID, hook.said)) return SAID[hook.said as keyof typeof SAID]; // holds: an own key
  return { tone: "unknown", label: hook.said };
}

/* Tool calls with all that was decided about them. */

/** One verdict over a call: of policies here, or of the agent in the end. */
export const callDecision = z.strictObject({
  occurredAt: z.date(),
  id: z.uuid(),
  kind: z.enum(DECISION_KINDS),
  event: z.string(),
  verdict: z.string(),
  source: z.string(),
  reason: z.string(),
});
export type CallDecision = z.infer<typeof callDecision>;

/** The request by which people were asked about a call. */
export const callRequest = z.strictObject({
  id: z.uuid(),
  /** QD-<number>. */
  number: z.number(),
  state: approvalState,
  /** The people who answered. */
  names: z.array(z.string()),
});
export type CallRequest = z.infer<typeof callRequest>;

/** A call in the place of its earliest decision that matches, with every decision over it, the earliest first. */
export const callView = decisionView.extend({
  chain: z.array(callDecision),
  /** Set for a call that was denied until people answer, and for one that is held open. */
  request: callRequest.nullable(),
  /** False for a call that an agent holds open: it is recorded once it is answered. */
  isRecorded: z.boolean(),
  /** The tool's end as the agent reported it; null when it reported none. */
  ran: z.enum(["succeeded", "failed"]).nullable(),
  /** The client sends no call id, equal calls were open, and the result went to the oldest. */
  isRanByOrder: z.boolean(),
  /** Null for a call without keywords, assignee and comments. */
  followUp: followUpMark.nullable(),
});
export type CallView = z.infer<typeof callView>;

export const callPage = z.strictObject({
  rows: z.array(callView),
  /** Null at the end of the range. */
  nextCursor: decisionKey.nullable(),
  /** Set when the search stopped at its limit before the page was full: how many decisions it read, and how far it came. */
  searched: z.strictObject({ rows: z.number(), until: z.date() }).nullable(),
});
export type CallPage = z.infer<typeof callPage>;

/** The newest decisions of a range that are read for its counts. */
export const COUNTED_DECISIONS_MAX = 10_000;
export const CALL_FACETS = [
  "verdict",
  "by",
  "policy",
  "rule",
  "group",
  "agent",
  "person",
  "tool",
  "source",
  "session",
] as const;
export type CallFacet = (typeof CALL_FACETS)[number];

/** Calls by value: of every field the calls that the filters on the other fields find. */
export const callFacets = z.strictObject({
  /** The calls that all filters find. */
  calls: z.number(),
  /** False if the range has more decisions than were read, so that counts are lower bounds. */
  isWhole: z.boolean(),
  values: z.record(z.enum(CALL_FACETS), z.array(z.strictObject({ value: z.string(), count: z.number() }))),
});
export type CallFacets = z.infer<typeof callFacets>;

/** Calls by outcome over time, among the newest decisions of the range. */
export const callSeries = z.strictObject({
  from: z.date(),
  to: z.date(),
  bucketMs: z.number(),
  /** The instant from which calls are counted; null if the whole range is. */
  since: z.date().nullable(),
  /** A point for each outcome of a bucket that has calls. */
  points: z.array(z.strictObject({ at: z.date(), outcome: callOutcome, count: z.number() })),
});
export type CallSeries = z.infer<typeof callSeries>;
