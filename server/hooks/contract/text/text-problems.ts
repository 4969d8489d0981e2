/** The problems and findings of a policy's text as JSON, the same in browser and server. Lines and columns count from 1. */
import { z } from "zod";

/** An error. The text cannot be published with it. */
export const textProblem = z.strictObject({
  path: z.string(),
  message: z.string(),
  line: z.number(),
  column: z.number(),
  endLine: z.number(),
  endColumn: z.number(),
});
export type TextProblem = z.infer<typeof textProblem>;

export const SEVERITIES = ["error", "warning", "advice"] as const;
export type Severity = (typeof SEVERITIES)[number];

const segments = z.array(z.union([z.string(), z.number()]));

/** An automatic repair at a path below the block: set a value, add an item to a list, or remove a value. */
export const repair = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("set"),
    segments,
    value: z.union([z.string(), z.number(), z.boolean()]),
    /** The action, for a button. */
    label: z.string(),
  }),
  z.strictObject({ kind: z.literal("remove"), segments, label: z.string() }),
  /** Appends an item to the list at the path. */
  z.strictObject({ kind: z.literal("add"), segments, value: z.record(z.string(), z.json()), label: z.string() }),
]);
export type Repair = z.infer<typeof repair>;

/** A finding of a linter rule. Only the rules of lint/blocking-rules.ts prevent publication. */
export const textFinding = textProblem.extend({
  rule: z.string(),
  severity: z.enum(SEVERITIES),
  /** The path for programs. Begins with "hooks" even if the text is only the block. */
  segments,
  why: z.string(),
  fix: z.string(),
  repair: repair.optional(),
});
export type TextFinding = z.infer<typeof textFinding>;

/** The hooks at a gate that run one after the other, and the clients that wait less than their written limits. */
export const textWait = z.strictObject({
  event: z.string(),
  /** The sum of the steps. */
  seconds: z.number(),
  steps: z.array(z.strictObject({ hook: z.string(), seconds: z.number() })),
  /** The least patient first; also those that wait long enough. */
  clients: z.array(z.strictObject({ client: z.string(), seconds: z.number() })),
});
export type TextWait = z.infer<typeof textWait>;
