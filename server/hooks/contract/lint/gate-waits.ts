/**
 * The written time limits of the hooks at a gate, compared with the time that each client waits for the answer. A hook
 * without a written limit counts as zero: its default of 60 s is a bound, not an expectation.
 */
import { canRefuse, clientTimeouts } from "../client-timeouts.ts";
import { contractOf, type EventName, WIDEST_PROFILE } from "../events.ts";
import { displayName } from "../hook.ts";
import { PROFILE_RULES } from "../profiles.ts";
import { truncateToLine } from "../truncate-text.ts";
import { coversMatcher, listMatcherNames } from "./matchers.ts";
import type { HookPath, LintedEntry, LintedHook, LintedPolicy } from "./policy.ts";

/** One hook on the longest path of a gate. */
export interface WaitStep {
  /** The path to its `timeout`, below `hooks`. */
  readonly at: HookPath;
  readonly hook: string;
  readonly seconds: number;
}

export interface ClientWait {
  /** The display name. */
  readonly client: string;
  readonly seconds: number;
}

/** The hooks that can run one after the other before a gate answers, and the clients that wait for them. */
export interface GateWait {
  /** The event that a client asks about. */
  readonly event: EventName;
  readonly steps: readonly WaitStep[];
  /** The sum of the steps. */
  readonly seconds: number;
  /** The clients that send the event, the least patient first. */
  readonly clients: readonly ClientWait[];
}

/** The gates of one tool call, which one question of a client passes in this order. */
const BEFORE_A_TOOL: readonly EventName[] = ["tool_input_transform", "tool_guard", "pre_tool_use"];
const HOOK_CHARACTERS_MAX = 60;

/** The longest path of each gate with a written limit. */
export function listGateWaits(policy: LintedPolicy): GateWait[] {
  const gates = policy.entries.filter(({ contract }) => canRefuse(contract));
  const events = new Set(gates.map(({ event }) => askedEvent(event)));
  return [...events].flatMap((event) => {
    const passed = gates.filter((entry) => askedEvent(entry.event) === event);
    const steps = longestPath(event, passed, policy);
    const clients = waitingClients(event, policy);
    const seconds = sumOf(steps);
    return seconds > 0 && clients.length > 0 ? [{ event, steps, seconds, clients }] : [];
  });
}

/** True if at least one client waits less than the limits allow. */
export const isOverlong = ({ seconds, clients }: GateWait): boolean => clients.some((one) => one.seconds < seconds);

const askedEvent = (event: EventName): EventName => (BEFORE_A_TOOL.includes(event) ? "pre_tool_use" : event);

function waitingClients(event: EventName, { clients = [] }: LintedPolicy): ClientWait[] {
  if (clients.length === 0) {
    const { curl } = clientTimeouts(contractOf(event, WIDEST_PROFILE));
    return [{ client: "an enrolled agent", seconds: curl }];
  }
  return clients
    .flatMap(({ title, events }) => {
      const [main] = events[event] ?? [];
      return main ? [{ client: title, seconds: main.waitSeconds }] : [];
    })
    .toSorted((a, b) => a.seconds - b.seconds);
}

function longestPath(event: EventName, entries: readonly LintedEntry[], policy: LintedPolicy): WaitStep[] {
  let longest: WaitStep[] = [];
  let most = 0;
  for (const matcher of calledNames(entries)) {
    const run = entries.filter((one) => coversMatcher(one.matcher, matcher));
    const steps = inOrder(event, run).flatMap((gate) => stepsOf(gate, policy));
    const seconds = sumOf(steps);
    if (seconds > most) [longest, most] = [steps, seconds];
  }
  return longest;
}

const sumOf = (steps: readonly WaitStep[]): number => steps.reduce((sum, step) => sum + step.seconds, 0);

/** A matcher for each group of calls that the entries tell apart. Undefined is a call that only `*` selects. */
function calledNames(entries: readonly LintedEntry[]): ReadonlySet<string | undefined> {
  const written = entries.flatMap(({ matcher }) =>
    matcher === undefined ? [] : (listMatcherNames(matcher) ?? [matcher]),
  );
  return new Set([undefined, ...written]);
}

/** The entries by gate, in the order in which a call passes them. */
function inOrder(event: EventName, entries: readonly LintedEntry[]): LintedEntry[][] {
  const passed = event === "pre_tool_use" ? BEFORE_A_TOOL : [event];
  return passed.flatMap((gate) =>
    (["preempt_yolo", "default"] as const).map((lane) =>
      entries.filter((entry) => entry.event === gate && entry.lane === lane),
    ),
  );
}

/** The hooks of one gate that a client waits for: all of a chain, otherwise the longest. */
function stepsOf(gate: readonly LintedEntry[], { profile }: LintedPolicy): WaitStep[] {
  const limited = gate.flatMap(({ hooks }) => hooks.flatMap(limitOf));
  const isChain = PROFILE_RULES[profile].chainsRewrites && gate.some(({ contract }) => contract.rewrites !== "nothing");
  if (isChain || limited.length === 0) return limited;
  return [limited.reduce((longest, step) => (step.seconds > longest.seconds ? step : longest))];
}

/** Rules decide within milliseconds, and hooks on the agent's machine are waited for by the agent itself. */
function limitOf({ hook, at, runsOn }: LintedHook): WaitStep[] {
  if (runsOn !== "server" || hook.type === "rules" || !hook.timeout || hook.timeout <= 0) return [];
  const name = truncateToLine(displayName(hook), HOOK_CHARACTERS_MAX);
  return [{ at: [...at, "timeout"], hook: name, seconds: hook.timeout }];
}
