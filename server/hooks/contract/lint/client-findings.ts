/**
 * Findings about the clients that a policy binds, from the clients' capability tables. There is one for each hook, wish and
 * client; clients with the same finding share one sentence.
 */

import type { ClientEvent, ClientKnown, Reception } from "../client-known.ts";
import type { Profile } from "../events.ts";
import type { HooksConfig } from "../hook.ts";
import { truncateText } from "../truncate-text.ts";
import { listMissedTools } from "./missed-tools.ts";
import { type HookPath, type LintedHook, type LintedPolicy, lintedPolicy } from "./policy.ts";
import { createSetRepair, type Said } from "./rule.ts";
import { type Wish, wishesOf } from "./wishes.ts";

/** The reception of one wish of one hook on some events of one client. */
interface Fate {
  readonly linted: LintedHook;
  readonly wish: Wish;
  readonly client: ClientKnown;
  readonly reception: Reception;
  /** The client's events with this reception; empty if it applies to all. */
  readonly onlyOn: readonly string[];
}

const WORDS: Record<Wish, string> = {
  deny: "this denial",
  ask: "this question",
  rewriteInput: "this rewrite",
  rewriteOutput: "this change of the result",
  stop: "this end of the run",
  context: "this context",
};

const FINDINGS_MAX = 50;

/** All findings about a policy on one client, each sentence once. Hooks that guard nothing come first. */
export function listClientFindings(hooks: HooksConfig, profile: Profile, client: ClientKnown): string[] {
  const policy = lintedPolicy(hooks, profile, { tools: [], clients: [client] });
  const all = [
    ...listMissedNames(policy),
    ...listGaps(policy),
    ...listEventsNotSent(policy),
    ...listStricterAnswers(policy),
  ];
  return [...new Set(all.map(({ message }) => message))].slice(0, FINDINGS_MAX);
}

/** Matchers that use another client's name for a tool. */
export function* listMissedNames({ entries, clients = [] }: LintedPolicy): Iterable<Said> {
  for (const { matcher, at, event, hooks } of entries) {
    if (matcher === undefined || hooks.length === 0) continue;
    for (const { client, kind, names } of listMissedTools(matcher, event, clients)) {
      const message = `"${truncateText(matcher, 60)}" matches none of the ${kind.noun} tool names of ${client.title} (${names.join(", ")})`;
      const repair = createSetRepair(
        [...at, "matcher"],
        kind.matcher,
        `Select ${kind.title.toLowerCase()} of any client`,
      );
      yield { at: [...at, "matcher"], message, repair };
    }
  }
}

/** Events of a policy that clients never raise. */
export function* listEventsNotSent({ entries, clients = [] }: LintedPolicy): Iterable<Said> {
  for (const event of new Set(entries.filter(({ hooks }) => hooks.length > 0).map((entry) => entry.event))) {
    const silent = clients.filter(({ events }) => (events[event] ?? []).length === 0);
    if (silent.length === 0) continue;
    const names = joinNames(silent.map(({ title }) => title));
    const never = silent.length === 1 ? "never sends" : "never send";
    yield { at: [event], message: `${names} ${never} ${event}: its hooks do not run there` };
  }
}

/** Wishes that become a denial or the end of the run. */
export function* listStricterAnswers(policy: LintedPolicy): Iterable<Said> {
  const isStricter = ({ reception }: Fate) => reception === "denied" || reception === "ended";
  for (const { example, clients } of alikeFates(policy, isStricter)) {
    const { linted, wish, reception } = example;
    const becomes = reception === "ended" ? "ends the run" : "becomes a denial";
    yield { at: placeOf(linted), message: `${WORDS[wish]} ${becomes} on ${clients}` };
  }
}

/** Wishes that a client does not follow. */
export function* listGaps(policy: LintedPolicy): Iterable<Said> {
  const isGap = ({ reception }: Fate) => reception === "none" || typeof reception === "object";
  for (const { example, clients } of alikeFates(policy, isGap)) {
    const { linted, wish, reception } = example;
    const consequence = typeof reception === "object" ? `: ${lowerFirst(reception.gap).replace(/\.$/, "")}` : "";
    const says = wish === "context" ? "does not reach the model" : "is not followed";
    yield { at: placeOf(linted), message: `${WORDS[wish]} ${says} on ${clients}${consequence}` };
  }
}

interface AlikeFates {
  /** One example; all others have the same hook, wish and reception. */
  readonly example: Fate;
  readonly clients: string;
}

function alikeFates(policy: LintedPolicy, isMeant: (fate: Fate) => boolean): AlikeFates[] {
  const byText = new Map<string, Fate[]>();
  for (const [index, linted] of policy.hooks.entries())
    for (const fate of fatesOf(linted, policy.clients ?? [])) {
      if (!isMeant(fate)) continue;
      const key = JSON.stringify([index, fate.wish, fate.reception]);
      byText.set(key, [...(byText.get(key) ?? []), fate]);
    }
  return [...byText.values()].flatMap((fates) => {
    const [first] = fates;
    return first ? [{ example: first, clients: joinNames(fates.map(clientText)) }] : [];
  });
}

/** Skips clients that never raise the event: another rule reports them. */
function fatesOf(linted: LintedHook, clients: readonly ClientKnown[]): Fate[] {
  const wishes = clients.length === 0 ? [] : wishesOf(linted);
  return clients.flatMap((client) => {
    const events = client.events[linted.entry.event] ?? [];
    return wishes.flatMap((wish) => {
      const receptions = new Map(events.map((event) => [JSON.stringify(receptionOf(event, wish)), event]));
      return [...receptions.values()].map((example) => {
        const reception = receptionOf(example, wish);
        const same = events.filter((event) => isSame(receptionOf(event, wish), reception));
        const onlyOn = same.length === events.length ? [] : same.map(({ name }) => name);
        return { linted, wish, client, reception, onlyOn };
      });
    });
  });
}

const isSame = (a: Reception, b: Reception): boolean => JSON.stringify(a) === JSON.stringify(b);

function receptionOf(event: ClientEvent, wish: Wish): Reception {
  if (wish === "context") return event.addsContext ? "held" : "none";
  return event[wish];
}

const clientText = ({ client, onlyOn }: Fate): string =>
  onlyOn.length === 0 ? client.title : `${client.title} (${onlyOn.join(", ")})`;

function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** The path to the part of a hook that contains its answer. */
function placeOf({ hook, at }: LintedHook): HookPath {
  if (hook.type === "model") return [...at, hook.schema ? "schema" : "prompt"];
  return [...at, hook.type === "rules" ? "rules" : "command"];
}
