/** A delivery as a message for people: a title of fixed text, and facts, each of which may be text from outside. */
import { z } from "zod";
import { WEBHOOK_KINDS } from "../audit/webhook-kinds-schema.ts";
import { isWebhookKind } from "./schema.ts";

export interface Notice {
  /** Holds nothing that came from outside but numbers. */
  readonly title: string;
  readonly facts: readonly { readonly label: string; readonly text: string }[];
  /** The input of a call; null without a call. */
  readonly input: string | null;
  /** The page in the console, which needs a sign-in; null without a page. */
  readonly url: string | null;
}

const FACTS_MAX = 10;

const delivered = z.looseObject({ type: z.string(), data: z.record(z.string(), z.unknown()) });
const approvalData = z.looseObject({
  ...{ number: z.number().int(), count: z.number().int(), state: z.string(), url: z.string(), input: z.string() },
  ...{
    agentName: z.string(),
    tool: z.string(),
    session: z.string(),
    cwd: z.string(),
    reason: z.string(),
    risk: z.string(),
  },
  ...{ peopleNeeded: z.number(), expiresAt: z.string(), words: z.string(), isWaiting: z.boolean() },
});
type ApprovalData = z.infer<typeof approvalData>;
const personData = z.object({ title: z.string(), says: z.string(), count: z.number().int(), url: z.string() });
const summaryData = z.object({
  counts: z.array(z.object({ kind: z.string(), count: z.number().int() })),
  url: z.string(),
});

export function noticeOf(body: string): Notice {
  const { type, data } = delivered.parse(JSON.parse(body));
  if (type === "approval.summary") return summaryNotice(summaryData.parse(data));
  if (type === "notice") return personNotice(personData.parse(data));
  const approval = approvalData.safeParse(data);
  if (type.startsWith("approval.") && approval.success) return approvalNotice(type, approval.data);
  const title = isWebhookKind(type) ? WEBHOOK_KINDS[type].says : "A test from Quarterdeck";
  return { title, facts: factsOf(data), input: null, url: null };
}

/** Numbers, texts and booleans; nested values are only in our own shape. */
function factsOf(data: Readonly<Record<string, unknown>>): Notice["facts"] {
  return Object.entries(data)
    .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
    .slice(0, FACTS_MAX)
    .map(([label, value]) => ({ label, text: String(value) }));
}

function summaryNotice({ counts, url }: z.infer<typeof summaryData>): Notice {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const facts = counts.map(({ kind, count }) => ({ label: kind, text: String(count) }));
  const about = counts.some(({ kind }) => kind === "notice") ? "" : " of approvals";
  return { title: `${total} more notices${about}, counted in this message`, facts, input: null, url };
}

function personNotice({ title, says, url }: z.infer<typeof personData>): Notice {
  return { title, facts: says === "" ? [] : [{ label: "About", text: says }], input: null, url };
}

/** Kinds about calls that can be answered. */
const OPEN: ReadonlySet<string> = new Set(["approval.requested", "approval.reminded", "approval.escalated"]);

function approvalNotice(type: string, data: ApprovalData): Notice {
  const { count, url, input, peopleNeeded } = data;
  const equal = count > 1 ? ` (${count} equal calls)` : "";
  const facts = [
    { label: "Agent", text: data.agentName },
    { label: "Tool", text: data.tool },
    { label: "Why", text: data.reason },
    { label: "Risk", text: data.risk },
    { label: "In", text: data.cwd },
    { label: "Session", text: data.session },
    { label: "People needed", text: peopleNeeded > 1 ? String(peopleNeeded) : "" },
    { label: "Denied unless answered by", text: OPEN.has(type) ? data.expiresAt : "" },
    { label: "Answer", text: data.words },
  ];
  return { title: `${titleOf(type, data)}${equal}`, facts: facts.filter(({ text }) => text !== ""), input, url };
}

function titleOf(type: string, { number, state, isWaiting }: ApprovalData): string {
  if (type === "approval.requested") return `QD-${number}: ${isWaiting ? "an agent waits" : "a call needs an answer"}`;
  if (type === "approval.reminded") return `QD-${number} still waits for an answer`;
  if (type === "approval.escalated") return `QD-${number} was not answered, so the next people are asked`;
  if (type === "approval.lapsed") return `QD-${number} was not answered in time, so it was denied`;
  return state === "approved" ? `QD-${number} was allowed` : `QD-${number} was denied`;
}
