/**
 * The hooks and rules on which two sets of policies can differ. A call on which none of them answers ends the same with both sets,
 * so that the other hooks need not run.
 */
import { isDeepStrictEqual } from "node:util";
import type {
  EventName,
  Handler,
  HandlerCall,
  HandlerKind,
  HookDefinition,
  HookInput,
  Lane,
  Profile,
} from "@quarterdeck/hooks";
import { identityOf } from "@quarterdeck/hooks/contract/identity";
import { serializeInput } from "@quarterdeck/hooks/contract/input";
import { pathOf } from "@quarterdeck/hooks/contract/problem";
import type { Guard } from "@quarterdeck/hooks/contract/semantic-diff/guard";
import { type RecordedCall, selectHooksByLane } from "./reach.ts";
import { guardsIn, type ReplayGuard, type ReplaySet, whyUnknown } from "./replay-hooks.ts";
import type { Side } from "./side.ts";

interface ChangedSide extends Side {
  readonly hooks: ReadonlyMap<Guard, { readonly key: string; readonly handler: Handler }>;
}

export interface ChangedHooks {
  readonly live: ChangedSide;
  readonly next: ChangedSide;
}

/** Builtins that leave the input as it is. */
const READERS: ReadonlySet<string> = new Set(["add_context", "ask_a_person", "max_iterations", "safer_shell"]);

/**
 * The hooks of each set that the other lacks, and the shared hooks that may rewrite the input of a hook after them. If only the rules
 * of a hook differ, it has only those rules. Null if the profiles differ or the shared hooks are in another order: then every hook
 * matters. Hooks that do not run in a backtest fail with `kinds`.
 */
export function changedHooks(live: ReplaySet, next: ReplaySet, kinds: readonly HandlerKind[]): ChangedHooks | null {
  const [was, is] = [guardsIn(live), guardsIn(next)];
  const [names, others] = [namesOf(was, is), namesOf(is, was)];
  const order = (all: readonly ReplayGuard[], own: Names) => all.flatMap((guard) => own.get(guard) ?? []);
  if (live.profile !== next.profile || !isDeepStrictEqual(order(was, names), order(is, others))) return null;
  const sideOf = (all: readonly ReplayGuard[], own: Names, other: ReadonlyMap<string, Guard>): ChangedSide => {
    const guards = all.flatMap((guard) => {
      const partner = other.get(own.get(guard) ?? "");
      if (partner === undefined || mayRewrite(guard.hook)) return [guard];
      return guard.hook.type === "rules" ? withChangedRules(guard, partner.hook) : [];
    });
    const hooks = guards.map((guard) => [guard, { key: hookKey(guard), handler: handlerOf(guard, kinds) }] as const);
    return { profile: live.profile, guards, hooks: new Map(hooks) };
  };
  const byName = (own: Names) => new Map([...own].map(([guard, name]) => [name, guard]));
  return { live: sideOf(was, names, byName(others)), next: sideOf(is, others, byName(names)) };
}

type Names = ReadonlyMap<ReplayGuard, string>;

/** One name for a hook that both sides have, with the same rules or with others. Hooks that only one side has get no name. */
function namesOf(own: readonly ReplayGuard[], other: readonly ReplayGuard[]): Names {
  const identities = new Set(other.map(({ identity }) => identity));
  const frames = (all: readonly ReplayGuard[]) => all.map(frameOf);
  const [mine, theirs] = [frames(own), frames(other)];
  const isOnce = (list: readonly string[], name: string) =>
    list.indexOf(name) !== -1 && list.indexOf(name) === list.lastIndexOf(name);
  const named = own.flatMap((guard, at): [ReplayGuard, string][] => {
    const frame = mine[at] ?? "";
    if (guard.hook.type === "rules" && isOnce(mine, frame) && isOnce(theirs, frame)) return [[guard, frame]];
    return identities.has(guard.identity) ? [[guard, guard.identity]] : [];
  });
  return new Map(named);
}

/** The identity of a hook without its rules. */
function frameOf({ member, event, preempt, matcher, hook: { rules: _rules, ...hook } }: ReplayGuard): string {
  const { policyId, profile } = member;
  const runsOn = hook.run_on ?? "";
  return `frame ${JSON.stringify([policyId, profile, event, preempt, matcher ?? "", identityOf(hook), runsOn])}`;
}

const mayRewrite = (hook: HookDefinition): boolean =>
  whyUnknown(hook) === null && hook.type !== "rules" && !READERS.has(hook.command ?? "");

/** The hook with the rules that its partner lacks; with all of them if the shared rules are in another order. */
function withChangedRules(guard: ReplayGuard, partner: HookDefinition): ReplayGuard[] {
  const [own, other] = [guard.hook.rules ?? [], partner.rules ?? []];
  const [texts, others] = [own, other].map((rules) => rules.map((rule) => JSON.stringify(rule))) as [
    string[],
    string[],
  ]; // holds: two lists
  const isShared = (text: string) => texts.includes(text) && others.includes(text);
  if (!isDeepStrictEqual(texts.filter(isShared), others.filter(isShared))) return [guard];
  const rules = own.filter((_, at) => !isShared(texts[at] ?? ""));
  return rules.length === 0 ? [] : [{ ...guard, hook: { ...guard.hook, rules } }];
}

function handlerOf({ hook, place, member }: ReplayGuard, kinds: readonly HandlerKind[]): Handler {
  const kind = kinds.find(({ type }) => type === hook.type);
  if (!kind) throw new Error(`no handler runs hooks of type ${hook.type ?? ""}`);
  const { policyId, policy, number, profile } = member;
  const path = {
    origin: { policyId, policy, revision: number },
    path: pathOf(["hooks", ...place]),
    name: hook.name ?? "",
  };
  return kind.build(hook, path, profile);
}

/** The policy and path of a hook, as reports name it. */
export const hookKey = ({ member, place }: ReplayGuard): string => `${member.policyId} ${pathOf(["hooks", ...place])}`;

export interface Asked {
  /** The keys of the hooks that answered. */
  readonly answered: ReadonlySet<string>;
  readonly durationMs: number;
}

export interface AskedCall {
  readonly row: RecordedCall;
  readonly input: HookInput;
  readonly asker: HandlerCall["asker"];
}

/** Asks the hooks of one side that the call selects. */
export async function askChanged(side: ChangedSide, asked: AskedCall): Promise<Asked> {
  const beganMs = performance.now();
  const answered = new Set<string>();
  for (const { lane, guards } of selectHooksByLane(side, asked.row))
    for (const guard of guards) {
      const known = side.hooks.get(guard);
      if (!known) throw new Error("a selected hook has no handler");
      const reply = await known.handler.run(handlerCall(side.profile, lane, asked), NEVER);
      if (reply.kind !== "answered" || reply.output !== null) answered.add(known.key);
    }
  return { answered, durationMs: performance.now() - beganMs };
}

const NEVER = new AbortController().signal;

function handlerCall(profile: Profile, lane: Lane, { row, input: given, asker }: AskedCall): HandlerCall {
  const event = row.event as EventName; // holds: calls are read by the events of a text
  // As the engine completes it.
  const input = { ...given, cwd: given.cwd || "/", hook_event_name: event };
  return {
    ...{ event, lane, profile, input, env: {}, workingDir: "/", asker, timeoutMs: 0, note: () => undefined },
    get inputJson() {
      return serializeInput(input);
    },
  };
}

/** Reads a call, so that the next rules on it spend no time on the reading. */
export function createCallReader(kinds: readonly HandlerKind[]): (asked: AskedCall) => Promise<void> {
  const path = { origin: {}, path: "", name: "" };
  const handler = kinds.find(({ type }) => type === "rules")?.build({ type: "rules", rules: [] }, path);
  return async (asked) => void (await handler?.run(handlerCall("2026-11", "default", asked), NEVER));
}
