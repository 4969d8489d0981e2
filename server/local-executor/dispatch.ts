/**
 * One dispatch with the engine: the hooks of this machine run, the console answers for its own as one more hook, and the
 * engine concludes. Loaded only when a hook of this machine may be concerned.
 */

import { tmpdir } from "node:os";
import {
  agentBuiltins,
  answerOf,
  builtinKind,
  commandKind,
  compilePlan,
  contractOf,
  createExecutor,
  type DispatchReport,
  type Environment,
  type EventName,
  explainDispatch,
  type HandlerKind,
  type HookDefinition,
  type HookInput,
  type HookOutput,
  type HookReport,
  hookOutput,
  inProcessSpawner,
  isEventName,
  maskText,
  rulesKind,
  systemClock,
  verdictOfReport,
  WIDEST_PROFILE,
} from "@quarterdeck/hooks";
import { clientTimeouts } from "@quarterdeck/hooks/contract/client-timeouts";
import { parseExactJson } from "@quarterdeck/hooks/contract/exact-json";
import { matcherComplaint } from "@quarterdeck/hooks/contract/matcher";
import { UNREADABLE } from "@quarterdeck/hooks/contract/stored-hooks";
import type { LocalExecutorResult } from "../dispatches/schema.ts";
import { causeOf, isAway } from "./errors.ts";
import { chains, type Occasion, type Placed, placeHooks } from "./placement.ts";
import { type Policy, readableHooks } from "./policy.ts";
import { createReport } from "./report.ts";
import { remembered } from "./run-once.ts";

export interface Dispatching extends Pick<Occasion, "event" | "lane"> {
  readonly policy: Policy;
  readonly flags: readonly string[];
  readonly input: HookInput;
  /** The original input text. */
  readonly text: string;
  readonly env: Environment;
  readonly workingDir: string;
  /** The directory in which builtins keep files across calls. */
  readonly dir: string;
  readonly signal: AbortSignal;
  /** Ask the console also when none of its hooks is concerned, so that it knows. */
  readonly isTold: boolean;
  /** The console's hook output. Errors: `ConsoleAway`, `Trouble`. */
  ask(text: string, local: LocalExecutorResult | undefined, signal: AbortSignal): Promise<string>;
}

export interface Dispatched {
  readonly answer: HookOutput;
  /** The result of the local hooks that ran before the console was asked; absent without such hooks. */
  readonly before: LocalExecutorResult | undefined;
  /** The result of the local hooks after it, which the console does not have yet. */
  readonly after: LocalExecutorResult | undefined;
  /** Everything, as it is to be reported when the console was not asked or did not answer. */
  readonly whole: LocalExecutorResult;
  readonly isConsoleTold: boolean;
}

const CONSOLE_TYPE = "console";

/** Never rejects because a hook failed, and the console's hooks are one. */
export async function dispatchLocally(given: Dispatching): Promise<Dispatched> {
  const { event, lane, input, env, workingDir, signal } = given;
  const policy = readableHooks(given.policy, matcherComplaint);
  const { profile, revision } = policy;
  const hook = consoleHook(event, policy);
  const plan = placeHooks(policy, given.flags, { event, lane, tool: input.tool_name ?? "" }, hook);
  const memory = remembered();
  const told: Told = { before: undefined, isTold: false };
  const own = [commandKind(inProcessSpawner(), { place: "given" }), builtinKind(builtinsFor(given)), rulesKind()];
  const kinds = [...own.map(memory.once), memory.once(consoleKind(given, plan, told))];

  async function run(hooks: ReadonlySet<HookDefinition>): Promise<DispatchReport> {
    const include = (one: HookDefinition) => hooks.has(one);
    const compiled = compilePlan({ sources: plan.sources, profile, kinds, include });
    const executor = createExecutor({ plan: compiled.plan, kinds, clock: systemClock, env, workingDir });
    const report = await executor.dispatch({ event, lane, input, signal });
    memory.settle(report.hooks);
    return report;
  }
  const concluded = (report: DispatchReport) => ({
    revision,
    verdict: verdictOfReport(report, event),
    reason: explainDispatch(report),
    durationMs: report.durationMs,
  });
  const ofThisMachine = (report: DispatchReport) => report.hooks.filter((one) => one.type !== CONSOLE_TYPE);

  if (plan.before.size > 0) {
    const report = await run(plan.before);
    told.before = createReport(report.hooks, concluded(report));
  }
  const asks = plan.isConsoleConcerned || given.isTold;
  const whole = await run(new Set([...plan.before, ...plan.after, ...(asks ? [hook] : [])]));
  // Merging these hooks alone, in a second run, gives their own result. Their output and times are those of the first
  // run.
  const later = plan.after.size > 0 ? await run(plan.after) : undefined;
  const nameOf = ({ origin, path }: HookReport) => `${origin.policy ?? ""} ${path}`;
  const names = new Set(later?.hooks.map(nameOf));
  return {
    answer: answerOf(whole.result, event, lane, profile),
    before: told.before,
    after:
      later &&
      createReport(
        ofThisMachine(whole).filter((one) => names.has(nameOf(one))),
        concluded(later),
      ),
    whole: createReport(ofThisMachine(whole), concluded(whole)) ?? { ...concluded(whole), hooks: [] },
    isConsoleTold: told.isTold,
  };
}

/** A hook input's JSON with every secret in its strings replaced. */
export function withoutSecrets(json: string): string {
  return maskText(json);
}

/** True if any hook of the console concerns this, or a rule that cannot be read may. */
export function isConsoleConcerned(policy: Policy, occasion: Occasion): boolean {
  const readable = readableHooks(policy, matcherComplaint);
  const placed = placeHooks(readable, [], occasion, consoleHook(occasion.event, readable));
  return placed.isConsoleConcerned || [...placed.before, ...placed.after].some(({ type }) => type === UNREADABLE);
}

function builtinsFor({ env, dir }: Dispatching) {
  const machine = { env, tempDir: tmpdir(), homeDir: env.HOME ?? "", kitDir: env.DOCKER_AGENT_KIT_DIR, dataDir: dir };
  return agentBuiltins(machine).builtins;
}

interface Told {
  before: LocalExecutorResult | undefined;
  isTold: boolean;
}

/** Everything the console runs for this event, as one hook. Failing, it refuses where that is possible. */
function consoleHook(event: EventName, { profile }: Policy): HookDefinition {
  const contract = contractOf(event, isEventName(event, profile) ? profile : WIDEST_PROFILE);
  return {
    name: "the console",
    type: CONSOLE_TYPE,
    timeout: clientTimeouts(contract).curl + 5,
    on_error: contract.canBlock ? "block" : "ignore",
  };
}

function consoleKind(given: Dispatching, plan: Placed, told: Told): HandlerKind {
  const isChain = chains(given, given.policy.profile);
  return {
    type: CONSOLE_TYPE,
    build: () => ({
      async run(call, signal) {
        try {
          const said = await given.ask(isChain ? call.inputJson : given.text, told.before, signal);
          told.isTold = true;
          const output = hookOutput.safeParse(parseExactJson(said));
          if (output.success) return { kind: "answered", output: output.data };
          return { kind: "failed", message: "what the console answered is no hook output" };
        } catch (error) {
          // An event that concerns no hook of the console is decided here, and reported once the console is back.
          if (isAway(error) && !plan.isConsoleConcerned) return { kind: "answered", output: null };
          return { kind: "failed", message: causeOf(error) };
        }
      },
    }),
  };
}
