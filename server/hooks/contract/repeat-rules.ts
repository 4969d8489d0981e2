/** Parses the arguments of `repeat_guard`: one rule each, `same call 5 in 10m: ask`. Used when policies are checked and when they run. */
import { z } from "zod";

const REPEAT_RULES_MAX = 8;
/** The number of calls and tool outcomes kept for a session. A rule counts at most half of them. */
const CALLS_KEPT = 200;

/** Mildest first. The most severe of the applicable rules counts. */
export const REPEAT_ACTIONS = ["alarm", "ask", "deny", "halt", "halt agent"] as const;

const seconds = z.number().int().min(1, "the time is at least 1s").max(3_600, "the time is at most 1h");
const heldBack = z.enum(["ask", "deny", "halt", "halt agent"], "after the colon stands ask, deny, halt or halt agent");
const calls = (min: number) =>
  z
    .number()
    .int("the number is whole")
    .min(min, `the number is at least ${min}`)
    .max(CALLS_KEPT / 2, `the number is at most ${CALLS_KEPT / 2}`);

const NANO_DIGITS = 9;
const NANO_MAX = 10n ** 15n;

const repeatRule = z.discriminatedUnion("kind", [
  /** The same tool with the same input, `count` times. */
  z.strictObject({ kind: z.literal("same call"), count: calls(2), seconds, action: heldBack }),
  /** `count` consecutive failures of one tool. */
  z.strictObject({ kind: z.literal("failures"), count: calls(1), seconds, action: heldBack }),
  /** The agent has spent more than this. */
  z.strictObject({
    kind: z.literal("spend"),
    nano: z.bigint().min(1n, "the amount is more than nothing").max(NANO_MAX, "the amount is at most 1000000 dollars"),
    seconds: seconds.min(60, "the time is at least 1m: costs are summed by the minute"),
    action: heldBack,
  }),
  /** The workspace has not seen the tool before. */
  z.strictObject({
    kind: z.literal("new tool"),
    action: z.enum(["alarm", "ask", "deny"], "after the colon stands alarm, ask or deny"),
  }),
]);
export type RepeatRule = z.infer<typeof repeatRule>;

const FORMS =
  'write "same call 5 in 10m: ask", "failures 4 in 10m: deny", "spend 2.50 in 5m: halt" or "new tool: alarm"';
const RULE =
  /^(?<kind>same call|failures|spend) (?<amount>\d{1,9}(?:\.\d{1,9})?) in (?<time>\d{1,5})(?<unit>[smh]): (?<action>.{1,20})$/;
const NEW_TOOL = /^new tool: (?<action>.{1,20})$/;
const SECONDS = { s: 1, m: 60, h: 3_600 } as const;

/** The rules in order, or a message about the first problem. */
export function parseRepeatRules(args: readonly string[]): readonly RepeatRule[] | string {
  if (args.length === 0) return `repeat_guard has no rule: ${FORMS}`;
  if (args.length > REPEAT_RULES_MAX) return `repeat_guard takes at most ${REPEAT_RULES_MAX} rules`;
  const rules: RepeatRule[] = [];
  for (const arg of args) {
    const shape = shapeOf(arg.trim());
    if (shape === null) return `repeat_guard does not understand "${arg.slice(0, 60)}": ${FORMS}`;
    const read = repeatRule.safeParse(shape);
    if (!read.success) return `repeat_guard, "${arg.slice(0, 60)}": ${read.error.issues[0]?.message ?? FORMS}`;
    rules.push(read.data);
  }
  return rules;
}

function shapeOf(text: string): Record<string, unknown> | null {
  const isNew = NEW_TOOL.exec(text)?.groups;
  if (isNew) return { kind: "new tool", action: isNew.action };
  const found = RULE.exec(text)?.groups;
  if (!found) return null;
  const { kind, amount = "", time, unit, action } = found;
  const unitSeconds = SECONDS[unit as keyof typeof SECONDS]; // holds: the pattern has no other
  const base = { kind, seconds: Number(time) * unitSeconds, action };
  if (kind === "spend") return { ...base, nano: nanoOf(amount) };
  return { ...base, count: Number(amount) };
}

function nanoOf(dollars: string): bigint {
  const [whole = "0", part = ""] = dollars.split(".");
  return BigInt(whole) * 10n ** BigInt(NANO_DIGITS) + BigInt(part.padEnd(NANO_DIGITS, "0"));
}
