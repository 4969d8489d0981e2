/** The problems and findings of a policy's text; lines and columns count from 1. JSON, same in browser and server. */
import { z } from "zod";

/** One thing that is wrong: the text cannot be published with it. */
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

/** A repair a machine can do: a value put at a place below the block, or what is there taken away. */
export const repair = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("set"),
    segments,
    value: z.union([z.string(), z.number(), z.boolean()]),
    /** The action, for a button. */
    label: z.string(),
  }),
  z.strictObject({ kind: z.literal("remove"), segments, label: z.string() }),
]);
export type Repair = z.infer<typeof repair>;

/** One thing that a rule of the linter has to say; nothing is refused for it. */
export const textFinding = textProblem.extend({
  rule: z.string(),
  severity: z.enum(SEVERITIES),
  /** Where, for programs; begins with "hooks" even when the text is the block alone. */
  segments,
  why: z.string(),
  fix: z.string(),
  repair: repair.optional(),
});
export type TextFinding = z.infer<typeof textFinding>;
