/** A hook's evaluator, as its policy defines it. Added when a policy's text is parsed; never part of a written hook. */
import { z } from "zod";

/** docker-agent's time limit for an evaluator without `timeout`. */
export const EVALUATOR_TIMEOUT_MS = 10_000;

const NAME_CHARS_MAX = 200;
const INSTRUCTIONS_CHARS_MAX = 262_144;
const TIMEOUT_MS_MAX = 3_600_000;

const name = z.string().min(1).max(NAME_CHARS_MAX);

export const resolvedEvaluator = z.strictObject({
  provider: name,
  model: name,
  type: z.enum(["boolean", "choice"]),
  instructions: z
    .string(`instructions must be a text`)
    .max(INSTRUCTIONS_CHARS_MAX, `instructions must be at most ${INSTRUCTIONS_CHARS_MAX} characters`),
  /** The choices with their descriptions. A choice without a description has its name. */
  choices: z.record(name, z.string().max(INSTRUCTIONS_CHARS_MAX)).optional(),
  timeout_ms: z
    .int()
    .min(1)
    .max(TIMEOUT_MS_MAX, `timeout must be at most ${TIMEOUT_MS_MAX / 1_000} seconds`),
  /** The policy's `routing.default_agent`. */
  default_agent: name.optional(),
});
export type ResolvedEvaluator = z.infer<typeof resolvedEvaluator>;

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;

/** Converts a number of seconds, or a duration such as `1m30s`, to milliseconds. Null for any other value; 0 if absent. */
export function evaluatorTimeoutMs(timeout: unknown): number | null {
  if (timeout === undefined || timeout === null) return 0;
  if (typeof timeout === "number") return Number.isFinite(timeout) ? Math.ceil(timeout * 1_000) : null;
  const text = typeof timeout === "string" ? timeout.trim() : "";
  const parts = [...text.matchAll(PART)];
  if (text.length > 40 || parts.length === 0 || parts.map(([part]) => part).join("") !== text) return null;
  return Math.ceil(parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (UNITS_MS[unit] ?? 0), 0));
}
