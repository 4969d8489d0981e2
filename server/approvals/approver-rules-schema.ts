/** The rules for who answers which calls, by risk class, and for calls that no person answers in time. */
import { compileMatcher } from "@quarterdeck/hooks/contract/matcher";
import { z } from "zod";
import { riskClass } from "./risk-class-schema.ts";

const SECONDS_MIN = 10;
const SECONDS_MAX = 3_600;
export const APPROVER_LISTS_MAX = 5;
export const APPROVERS_MAX = 50;
export const TOOL_RISKS_MAX = 100;
export const LIST_NAME_CHARS_MAX = 60;
const TOOL_CHARS_MAX = 200;

const seconds = z
  .number()
  .int()
  .min(SECONDS_MIN, `At least ${SECONDS_MIN} seconds.`)
  .max(SECONDS_MAX, "At most one hour, when a request expires.");

const toolRisk = z.strictObject({
  /** An RE2 pattern over the whole tool name, as matchers are. */
  tool: z
    .string()
    .min(1, "Enter a tool.")
    .max(TOOL_CHARS_MAX)
    .refine((pattern) => compileMatcher(pattern).ok, "Not a valid matcher pattern."),
  risk: riskClass,
});

const approverList = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, "Enter the list's name.")
    .max(LIST_NAME_CHARS_MAX)
    .regex(/^[^\p{C}]*$/u, "A name is one line of text."),
  /** Asked about calls of this risk class on. */
  from: riskClass,
  people: z
    .array(z.uuid())
    .min(1, "Choose at least one person.")
    .max(APPROVERS_MAX)
    .refine((people) => new Set(people).size === people.length, "A person is chosen twice."),
  /** Then the next list is asked too; after the last one the call is denied. */
  forSeconds: seconds,
});
export type ApproverList = z.infer<typeof approverList>;

export const approverRules = z.strictObject({
  toolRisks: z.array(toolRisk).max(TOOL_RISKS_MAX),
  /** From this class on, two people have to agree; null: only when a policy requires it. */
  twoPeopleFrom: riskClass.nullable(),
  /** An allowance takes a second press from this class on. */
  confirmFrom: riskClass.nullable(),
  /** Notified once more after this time without an answer. */
  remindAfterSeconds: seconds.nullable(),
  /** In the order in which they are asked. */
  lists: z.array(approverList).max(APPROVER_LISTS_MAX),
});
export type ApproverRules = z.infer<typeof approverRules>;

export const NO_APPROVER_RULES: ApproverRules = {
  toolRisks: [],
  twoPeopleFrom: null,
  confirmFrom: null,
  remindAfterSeconds: null,
  lists: [],
};

export const approverRulesView = z.strictObject({
  rules: approverRules,
  /** Set when the stored rules cannot be read: then no person is asked, and `rules` is empty. */
  problem: z.string().nullable(),
  /** Null: they were never set. */
  setAt: z.date().nullable(),
  setBy: z.string().nullable(),
  /** The people who can be in a list. */
  people: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
});
export type ApproverRulesView = z.infer<typeof approverRulesView>;
