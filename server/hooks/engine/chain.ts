/** Runs hooks that see each other's rewrites: in a chain, or after all others. */
import type { EventContract } from "../contract/events.ts";
import { type HookInput, serializeInput } from "../contract/input.ts";
import type { HookFailure } from "./outcome.ts";
import type { PlannedHook } from "./plan.ts";
import type { Finished } from "./report.ts";
import { inputAfter, NOT_REWRITTEN, nextInChain, type Rewritten, rewriteIn, sideBySide } from "./rewrite.ts";

/** The input that the hooks see at one point of a dispatch. */
export interface InputSnapshot {
  readonly input: HookInput;
  readonly json: string;
}

export type RunOne = (hook: PlannedHook, seen: InputSnapshot) => Promise<Finished>;

export interface Chained {
  readonly finished: readonly Finished[];
  readonly rewritten: Rewritten;
}

/** Runs hooks in sequence. Each hook sees the rewrite of the previous one. A failed hook does not break the chain. */
export async function runInChain(
  hooks: readonly PlannedHook[],
  contract: EventContract,
  first: InputSnapshot,
  runOne: RunOne,
  before: Rewritten = NOT_REWRITTEN,
): Promise<Chained> {
  let seen = first;
  let rewritten = before;
  const finished: Finished[] = [];
  for (const hook of hooks) {
    const one = await runOne(hook, seen);
    const asked = requestedRewrite(one, contract);
    const next = asked && nextInChain(seen.input, asked);
    const sent = next && serializeSnapshot(next.input);
    if (sent && !sent.ok) {
      finished.push({ ...one, outcome: unserializable(sent.message) });
      continue;
    }
    finished.push(one);
    if (sent) seen = sent;
    if (next) rewritten = next.rewritten;
  }
  return { finished, rewritten };
}

/** True if a hook runs after the other rewrites. */
export function runsLast({ handler }: PlannedHook): boolean {
  return "run" in handler && handler.runsLast === true;
}

/**
 * Runs the hooks with `runsLast` after the others have finished. A hook that truncates a payload must see the others' rewrites,
 * or a secret that they removed would reappear. All reports are in the order of `hooks`.
 */
export async function runDeferred(
  hooks: readonly PlannedHook[],
  others: { readonly finished: readonly Finished[]; readonly rewritten?: Rewritten },
  contract: EventContract,
  first: InputSnapshot,
  runOne: RunOne,
): Promise<Chained> {
  const asked = others.finished.map((one) => requestedRewrite(one, contract));
  const left = others.rewritten ?? asked.reduce<Rewritten>(united, NOT_REWRITTEN);
  const sent = serializeSnapshot(inputAfter(first.input, left));
  const last = hooks.filter(runsLast);
  const after = sent.ok
    ? await runInChain(last, contract, sent, runOne, left)
    : { finished: last.map((hook) => neverAsked(hook, sent.message)), rewritten: left };
  const all = new Map([...others.finished, ...after.finished].map((one) => [one.hook, one]));
  return { finished: hooks.flatMap((hook) => all.get(hook) ?? []), rewritten: after.rewritten };
}

function united(earlier: Rewritten, later: Rewritten | undefined): Rewritten {
  return later ? sideBySide(earlier, later) : earlier;
}

/** The payload replacement that a hook requests, if the event permits it. */
export function requestedRewrite(
  { outcome }: Pick<Finished, "outcome">,
  contract: EventContract,
): Rewritten | undefined {
  const output = outcome.kind === "completed" ? outcome.output : null;
  return output ? rewriteIn(output, contract.rewrites) : undefined;
}

function unserializable(why: string) {
  const failure: HookFailure = { code: "unserializable", message: `serialize rewritten input: ${why}` };
  return { kind: "failed", failure, stderr: "" } as const;
}

/** The result if the rewritten input cannot be serialized. The hook never gets the original input instead. */
function neverAsked(hook: PlannedHook, why: string): Finished {
  const failed = unserializable(why);
  return { hook, ran: failed, outcome: failed, startedMs: 0, durationMs: 0 };
}

export type Serialized = (InputSnapshot & { readonly ok: true }) | { readonly ok: false; readonly message: string };

export function serializeSnapshot(input: HookInput): Serialized {
  try {
    return { ok: true, input, json: serializeInput(input) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
