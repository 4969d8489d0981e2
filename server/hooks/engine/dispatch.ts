/** Runs the selected hooks of one dispatch, in parallel or as a chain, and combines their outcomes. */

import { clientTimeouts } from "../contract/client-timeouts.ts";
import { contractOf, type EventContract, type EventName, type Lane, type Profile } from "../contract/events.ts";
import type { HookInput } from "../contract/input.ts";
import type { JudgeCall } from "../contract/judge.ts";
import { PROFILE_RULES, type ProfileRules } from "../contract/profiles.ts";
import { aggregateOutcomes } from "./aggregate.ts";
import type { Breakers } from "./breaker.ts";
import { type InputSnapshot, type RunOne, runDeferred, runInChain, runsLast, serializeSnapshot } from "./chain.ts";
import type { ConcurrencyLimit } from "./concurrency-limit.ts";
import { withoutPrinted, withoutWords } from "./content-guard.ts";
import { type LiftVerdict, liftVerdicts } from "./lift-verdict.ts";
import { failureText, type HookFailure } from "./outcome.ts";
import type { PlannedHook } from "./plan.ts";
import type { Asker, Clock, Environment } from "./ports.ts";
import { readReply, toleratedFailure } from "./protocol.ts";
import { type DispatchReport, type Finished, hookReport } from "./report.ts";
import { NEUTRAL } from "./result.ts";
import type { Rewritten } from "./rewrite.ts";
import { type Ran, runHook } from "./run.ts";

export interface DispatchContext {
  readonly profile: Profile;
  readonly event: EventName;
  readonly lane: Lane;
  readonly input: HookInput;
  readonly clock: Clock;
  readonly env: Environment;
  readonly workingDir: string;
  readonly signal: AbortSignal | undefined;
  readonly asker: Asker | undefined;
  /** The owner of the hooks, for limits and breakers per tenant. */
  readonly tenant: string;
  readonly room: ConcurrencyLimit | undefined;
  readonly breakers: Breakers | undefined;
  readonly liftVerdict: LiftVerdict | undefined;
}

/** Runs a dispatch with at least one hook. Without capacity, no hook starts. */
export async function dispatchHooks(hooks: readonly PlannedHook[], given: DispatchContext): Promise<DispatchReport> {
  const contract = contractOf(given.event, given.profile, given.lane);
  const leave = given.room?.acquire(given.tenant, hooks.length);
  if (typeof leave === "string") return rejectWithoutRunning(hooks, contract, { code: "overloaded", message: leave });
  try {
    return await runHooks(hooks, contract, given);
  } finally {
    leave?.();
  }
}

async function runHooks(
  hooks: readonly PlannedHook[],
  contract: EventContract,
  given: DispatchContext,
): Promise<DispatchReport> {
  const { event, lane, profile, clock, tenant, breakers } = given;
  const rules = PROFILE_RULES[profile];
  const beganMs = clock.now();
  const first = serializeSnapshot({ ...given.input, cwd: given.input.cwd || given.workingDir, hook_event_name: event });
  if (!first.ok) {
    const message = `failed to serialize hook input: ${first.message}`;
    return rejectWithoutRunning(hooks, contract, { code: "unserializable", message });
  }

  const runOne = async (hook: PlannedHook, { input, json }: InputSnapshot): Promise<Finished> => {
    const readyMs = clock.now() - beganMs;
    const { env, workingDir, signal, asker } = given;
    let judge: JudgeCall | undefined;
    const note = (asked: JudgeCall) => {
      judge = asked;
    };
    const whence = { env, workingDir, asker };
    const call = { event, lane, profile, input, inputJson: json, ...whence, timeoutMs: hook.timeoutMs, note };
    const refused = breakers?.before(tenant, hook);
    const shares = [tenant, asker?.agent ?? ""] as const;
    const ran: Ran = refused
      ? { kind: "failed", failure: refused, stderr: "" }
      : await runHook({ hook, call, clock, signal, shares, waitMs: waitMsOf(contract) });
    const strict = contract.control || (rules.strictOutput && hook.definition.strict_output === true);
    const reading = { event, contract, rules, strict };
    const heard = ran.kind === "failed" ? ran : readReply(ran.reply, reading);
    const tolerated = ran.kind === "failed" ? undefined : toleratedFailure(ran.reply, reading);
    const said = contract.guardsContent ? withoutWords(heard) : heard;
    if (!refused) breakers?.after(tenant, hook, contract, said);
    const startedMs = readyMs + (ran.waitedMs ?? 0);
    const durationMs = clock.now() - beganMs - startedMs;
    // A copy, because a handler that still runs after the deadline may no longer change it.
    const ended: Finished = {
      ...{ hook, ran, outcome: said, startedMs, durationMs },
      ...(judge && { judge: { ...judge } }),
      ...(tolerated !== undefined && { tolerated }),
    };
    const one = contract.guardsContent ? withoutPrinted(ended) : ended;
    return input.tool_input === given.input.tool_input ? one : { ...one, sawRewritten: true };
  };

  const { finished: ended, rewritten } = await runAll(hooks, contract, rules, first, runOne);
  const finished = await liftVerdicts(ended, contract, given.liftVerdict);
  const { result, contributions } = aggregateOutcomes(finished, {
    event,
    contract,
    rules,
    arguments: given.input.tool_input,
    ...(rewritten && { chained: rewritten }),
  });
  const reports = finished.map((one, index) => hookReport(one, contributions[index] ?? SAID_NOTHING));
  return { result, hooks: reports, durationMs: clock.now() - beganMs };
}

const WAIT_MS_MAX = 10_000;

/** The longest time that a hook may wait for its turn: the client must still be waiting after its run. */
function waitMsOf(contract: EventContract): number {
  return Math.min(WAIT_MS_MAX, clientTimeouts(contract).curl * 500);
}

/** The outcomes of all hooks in order; `rewritten` if they saw each other's rewrites. */
async function runAll(
  hooks: readonly PlannedHook[],
  contract: EventContract,
  rules: ProfileRules,
  first: InputSnapshot,
  runOne: RunOne,
): Promise<{ finished: readonly Finished[]; rewritten?: Rewritten }> {
  const rewrites = contract.rewrites !== "nothing";
  const others = rewrites ? hooks.filter((hook) => !runsLast(hook)) : hooks;
  const ran =
    rewrites && rules.chainsRewrites
      ? await runInChain(others, contract, first, runOne)
      : { finished: await Promise.all(others.map((hook) => runOne(hook, first))) };
  return others.length === hooks.length ? ran : runDeferred(hooks, ran, contract, first, runOne);
}

const SAID_NOTHING = { said: "nothing", blocked: false } as const;

/** Fails every hook without a run; an event that can block is blocked. */
function rejectWithoutRunning(
  hooks: readonly PlannedHook[],
  contract: EventContract,
  failure: HookFailure,
): DispatchReport {
  const failed = { kind: "failed", failure, stderr: "" } as const;
  const contribution = { said: "failed", blocked: contract.canBlock } as const;
  return {
    result: {
      ...NEUTRAL,
      failed_hooks: hooks.map(({ name }) => name),
      ...(contract.canBlock && { allowed: false, exit_code: -1, message: failureText(failure) }),
    },
    hooks: hooks.map((hook) =>
      hookReport({ hook, ran: failed, outcome: failed, startedMs: 0, durationMs: 0 }, contribution),
    ),
    durationMs: 0,
  };
}
