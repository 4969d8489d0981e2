/** Runs the selected hooks of one dispatch, side by side or as a chain, and concludes. */
import { contractOf, type EventContract, type EventName, type Lane, type Profile } from "../contract/events.ts";
import { type HookInput, serializeInput } from "../contract/input.ts";
import type { JudgeCall } from "../contract/judge.ts";
import { PROFILE_RULES } from "../contract/profiles.ts";
import { aggregate } from "./aggregate.ts";
import { failureText, type HookFailure } from "./outcome.ts";
import type { PlannedHook } from "./plan.ts";
import type { Clock, Environment } from "./ports.ts";
import { readReply } from "./protocol.ts";
import { type DispatchReport, type Finished, hookReport } from "./report.ts";
import { NEUTRAL } from "./result.ts";
import { NOT_REWRITTEN, nextInChain, type Rewritten, rewriteIn } from "./rewrite.ts";
import { run } from "./run.ts";

export interface Circumstances {
  readonly profile: Profile;
  readonly event: EventName;
  readonly lane: Lane;
  readonly input: HookInput;
  readonly clock: Clock;
  readonly env: Environment;
  readonly workingDir: string;
  readonly signal: AbortSignal | undefined;
}

/** What the hooks see at one point of a dispatch. */
interface Seen {
  readonly input: HookInput;
  readonly json: string;
}

/** The report of a dispatch that concerns at least one hook. */
export async function dispatchHooks(hooks: readonly PlannedHook[], given: Circumstances): Promise<DispatchReport> {
  const { event, lane, profile, clock } = given;
  const contract = contractOf(event, profile, lane);
  const rules = PROFILE_RULES[profile];
  const beganMs = clock.now();
  const first = serialize({ ...given.input, cwd: given.input.cwd || given.workingDir, hook_event_name: event });
  if (!first.ok) return askedNobody(hooks, contract, first.message);

  const runOne = async (hook: PlannedHook, { input, json }: Seen): Promise<Finished> => {
    const startedMs = clock.now() - beganMs;
    const { env, workingDir, signal } = given;
    let judge: JudgeCall | undefined;
    const note = (asked: JudgeCall) => {
      judge = asked;
    };
    const call = { event, lane, profile, input, inputJson: json, env, workingDir, timeoutMs: hook.timeoutMs, note };
    const ran = await run({ hook, call, clock, signal });
    const strict = rules.strictOutput && hook.definition.strict_output === true;
    const outcome = ran.kind === "failed" ? ran : readReply(ran.reply, { event, contract, rules, strict });
    const durationMs = clock.now() - beganMs - startedMs;
    // A copy: whoever still works after the deadline has nothing more to say.
    return { hook, ran, outcome, startedMs, durationMs, ...(judge && { judge: { ...judge } }) };
  };

  const chains = rules.chainsRewrites && contract.rewrites !== "nothing";
  const { finished, chained } = chains
    ? await inChain(hooks, contract, first, runOne)
    : { finished: await Promise.all(hooks.map((hook) => runOne(hook, first))), chained: undefined };

  const { result, contributions } = aggregate(finished, { event, contract, rules, ...(chained && { chained }) });
  const reports = finished.map((one, index) => hookReport(one, contributions[index] ?? SAID_NOTHING));
  return { result, hooks: reports, durationMs: clock.now() - beganMs };
}

const SAID_NOTHING = { said: "nothing", blocked: false } as const;

/** One after the other; what a hook rewrites is what the next one sees. A hook that fails does not break the chain. */
async function inChain(
  hooks: readonly PlannedHook[],
  contract: EventContract,
  first: Seen,
  runOne: (hook: PlannedHook, seen: Seen) => Promise<Finished>,
): Promise<{ finished: Finished[]; chained: Rewritten }> {
  let seen = first;
  let chained = NOT_REWRITTEN;
  const finished: Finished[] = [];
  for (const hook of hooks) {
    const one = await runOne(hook, seen);
    const output = one.outcome.kind === "completed" ? one.outcome.output : null;
    const asked = output ? rewriteIn(output, contract.rewrites) : undefined;
    const next = asked && nextInChain(seen.input, asked);
    const sent = next && serialize(next.input);
    if (sent && !sent.ok) {
      const failure: HookFailure = { code: "unserializable", message: `serialize rewritten input: ${sent.message}` };
      finished.push({ ...one, outcome: { kind: "failed", failure, stderr: "" } });
      continue;
    }
    finished.push(one);
    if (sent) seen = sent;
    if (next) chained = next.rewritten;
  }
  return { finished, chained };
}

type Serialized = (Seen & { readonly ok: true }) | { readonly ok: false; readonly message: string };

function serialize(input: HookInput): Serialized {
  try {
    return { ok: true, input, json: serializeInput(input) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** The input could not be put into words: every hook has failed, and what can be blocked is. */
function askedNobody(hooks: readonly PlannedHook[], contract: EventContract, why: string): DispatchReport {
  const failure: HookFailure = { code: "unserializable", message: `failed to serialize hook input: ${why}` };
  const failed = { kind: "failed", failure, stderr: "" } as const;
  const contribution = { said: "failed", blocked: contract.canBlock } as const;
  return {
    result: contract.canBlock ? { ...NEUTRAL, allowed: false, exit_code: -1, message: failureText(failure) } : NEUTRAL,
    hooks: hooks.map((hook) =>
      hookReport({ hook, ran: failed, outcome: failed, startedMs: 0, durationMs: 0 }, contribution),
    ),
    durationMs: 0,
  };
}
