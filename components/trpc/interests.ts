/** The topics that are on screen: queries about them are fetched again when they change. */
import type { Query, QueryClient } from "@tanstack/react-query";
import { isKeptByRows } from "@/components/trpc/kept-by-rows";
import { makeRefresher } from "@/components/trpc/query-refresher";
import type { Topic } from "@/server/events/schema";

/** A change this fresh may have happened between a page's prefetch and its first effect. */
const PREFETCH_GAP_MS = 2_000;

/** Routers that change with others' topics, or whose topic has another name; the others have their own topic. */
const TOPICS_OF: Readonly<Record<string, readonly Topic[]>> = {
  ...{ circuitBreakers: ["circuits"], coverage: ["coverage"] },
  ...{ ledger: ["costs"], prices: ["costs"], statements: ["costs"] },
  calendar: ["costs", "budgets"],
  // A person sets and ends monitor mode.
  shadowMode: ["observations", "policies"],
  // Policies decide which agents a budget blocks.
  budgets: ["budgets", "policies"],
  drills: ["agents"],
  // A call waits until its request is answered.
  decisions: ["decisions", "calls", "approvals"],
  followUps: ["decisions"],
  maskingSettings: ["masking"],
  // An agent's owner is a person.
  principals: ["principals", "agents"],
  // A policy's page shows which of its rules are in force.
  rules: ["rules", "policies"],
  ruleOwners: ["rules"],
  // The draft of a policy has a live test.
  backtest: ["policies"],
  inventory: ["agents", "policies"],
  knownCalls: ["prompts"],
  // Calls of local executors are the agents'.
  halts: ["halts", "agents"],
  setup: ["agents", "policies", "approvals"],
  attention: ["reviews", "alerts", "approvals", "notices"],
};

/** True if a query belongs to one of these topics: tRPC keys begin with the path of the procedure. */
export function isAbout(query: Pick<Query, "queryKey">, topics: ReadonlySet<string>): boolean {
  const [path] = query.queryKey;
  if (!Array.isArray(path) || typeof path[0] !== "string") return false;
  return (TOPICS_OF[path[0]] ?? [path[0]]).some((topic) => topics.has(topic));
}

export interface Interests {
  /** Declares interest; returns its end. */
  readonly follow: (topics: readonly Topic[]) => () => void;
  readonly changed: (topics: readonly Topic[]) => void;
  /** Changes were missed: everything that is followed may have changed. */
  readonly changedAll: () => void;
}

export function createInterests(queries: QueryClient): Interests {
  const followed = new Map<Topic, number>();
  const changedAtMs = new Map<Topic, number>();
  const refresher = makeRefresher(queries);

  function changed(topics: readonly Topic[]): void {
    const moved = new Set<string>(topics);
    const wanted = new Set<string>(topics.filter((topic) => followed.has(topic)));
    for (const topic of topics) changedAtMs.set(topic, performance.now());
    for (const query of queries.getQueryCache().getAll()) {
      if (isKeptByRows(query)) continue;
      if (query.isActive() && isAbout(query, wanted)) void refresher.refresh(query.queryHash);
      // The query has no observer now: it is refetched when a component mounts it.
      else if (isAbout(query, moved)) query.invalidate();
    }
  }

  function leave(topics: readonly Topic[]): void {
    for (const topic of topics) {
      const left = (followed.get(topic) ?? 1) - 1;
      if (left > 0) followed.set(topic, left);
      else followed.delete(topic);
    }
  }

  return {
    follow(topics) {
      for (const topic of topics) followed.set(topic, (followed.get(topic) ?? 0) + 1);
      const missed = topics.filter(
        (topic) => performance.now() - (changedAtMs.get(topic) ?? Number.NEGATIVE_INFINITY) < PREFETCH_GAP_MS,
      );
      if (missed.length > 0) queueMicrotask(() => changed(missed));
      return () => leave(topics);
    },
    changed,
    changedAll: () => changed([...followed.keys()]),
  };
}
