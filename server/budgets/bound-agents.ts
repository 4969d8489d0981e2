/**
 * The agents that hard budgets bind: those whose policy in force holds the builtin `budget_guard`, and whose client asks
 * before a model call.
 */
import { everyHook } from "@quarterdeck/hooks/contract/placement";
import { knownClient } from "../dialects/index.ts";
import { isClientName } from "../dialects/schema.ts";
import type { Database } from "../platform/db.ts";
import { type EffectiveSet, effectiveSets } from "../policies/index.ts";
import { listOwned } from "./people-repository.ts";
import * as budgets from "./repository.ts";
import type { BindingView, Scope } from "./schema.ts";

/** Names shown of each kind; the counts are complete. */
const NAMED_MAX = 5;

interface Subject {
  readonly scope: Scope;
  readonly target: string;
}

/** A lookup over the current state, read once for any number of budgets. */
export async function createBoundAgentsLookup(
  db: Database,
  workspaceId: string,
): Promise<(of: Subject) => BindingView> {
  const [agents, members, owned, effectiveFor] = await Promise.all([
    budgets.listUnretiredAgents(db.prisma, workspaceId),
    budgets.listMembers(db.prisma, workspaceId),
    listOwned(db.pool, workspaceId),
    effectiveSets(db, workspaceId),
  ]);
  const guarded = new Set(agents.filter(({ id }) => isGuarded(effectiveFor(id))).map(({ id }) => id));
  const kindOf = ({ id, client }: (typeof agents)[number]): keyof BindingView => {
    if (!asksBeforeModelCalls(client)) return "unasked";
    return guarded.has(id) ? "bound" : "unbound";
  };
  const groupsOf = new Set(members.map(({ groupId, agentId }) => `${groupId} ${agentId}`));
  const ownerOf = new Map(owned.map((one) => [one.agentId, one]));
  const isAbout = ({ scope, target }: Subject, id: string): boolean => {
    if (scope === "agent") return id === target;
    if (scope === "group") return groupsOf.has(`${target} ${id}`);
    if (scope === "person") return ownerOf.get(id)?.personId === target;
    return scope === "sign_on_group" ? (ownerOf.get(id)?.groups.includes(target) ?? false) : true;
  };
  return (of) => {
    const about = agents.filter(({ id }) => isAbout(of, id));
    const named = (kind: keyof BindingView) => {
      const names = about.filter((agent) => kindOf(agent) === kind).map(({ name }) => name);
      return { count: names.length, names: names.slice(0, NAMED_MAX) };
    };
    return { bound: named("bound"), unbound: named("unbound"), unasked: named("unasked") };
  };
}

/** True also before the first event of an agent, when its client is not known. */
const asksBeforeModelCalls = (client: string | null): boolean =>
  client === null ||
  !isClientName(client) ||
  (knownClient(client).events.before_llm_call ?? []).some(({ deny }) => typeof deny === "string" && deny !== "none");

function isGuarded({ members }: EffectiveSet): boolean {
  return members.some(({ hooks }) =>
    everyHook(hooks).some(
      ({ event, hook }) => event === "before_llm_call" && hook.type === "builtin" && hook.command === "budget_guard",
    ),
  );
}
