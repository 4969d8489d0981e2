/**
 * Lists that follow the stream of calls, over the real recorder, projectors and PostgreSQL: after any sequence of
 * changes, each list is what the server would answer.
 */
import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { follow } from "@/components/decisions/feed/follow-calls";
import type { CallPages } from "@/components/decisions/feed/merge-calls";
import { type TestDatabase, testDatabase } from "@/e2e/fixtures/database";
import { type Happened, type RecordedWorkspace, recordedWorkspace } from "@/e2e/fixtures/recorded";
import { listCallsWithHeld } from "@/server/decisions/calls";
import { type CallFollower, createCallFollower } from "@/server/decisions/live-calls/follower";
import { callNameOf, type LiveCallsMessage } from "@/server/decisions/live-calls/schema";
import { streamCalls } from "@/server/decisions/live-calls/viewer-stream";
import { type CallView, type DecisionFilters, decisionFilters, listDecisions } from "@/server/decisions/schema";
import { type Bus, createBus } from "@/server/events/service";
import { createLog } from "@/server/platform/log";

const LIMIT = 3;
const START_MS = Date.UTC(2026, 10, 20, 12);
const at = (ms: number) => new Date(START_MS + ms);
const RANGE = { from: at(200), to: at(10_000) };
/** Shorter than in production: many gaps come before the one before them is over. */
const GAP_EVERY_MS = 60;
const CALM = { level: 0, untilBelow: async () => true };
const RULE = 'Denied by "no force" (safe shell revision 3, hooks.pre_tool_use[0]): no.';

const FILTERS: readonly Partial<DecisionFilters>[] = [
  {},
  { verdict: ["deny"] },
  { by: ["final"], tool: ["shell", "view"] },
  { agent: ["ci bot"], session: ["s1"] },
  { policy: ["safe shell"], rule: ["no force"] },
  { outcome: ["denied"] },
  { outcome: ["asked", "allowed"] },
  { source: ["user_approved"] },
];

let db: TestDatabase;
let bus: Bus;
let follower: CallFollower;
let workspaces = 0;
beforeAll(async () => {
  db = await testDatabase();
  bus = createBus(db.url, createLog("error"));
  follower = createCallFollower({
    ...{ pool: db.database.pool, bus, log: createLog("error"), pressure: CALM },
    gapEveryMs: GAP_EVERY_MS,
  });
});
afterAll(async () => {
  await follower.close();
  await bus.close();
  await db.drop();
});

/** A page as a browser has it, with the server's stream. */
function viewer({ workspaceId }: RecordedWorkspace, some: Partial<DecisionFilters>) {
  const filters = decisionFilters.parse(some);
  const queries = new QueryClient({ defaultOptions: { queries: { gcTime: Number.POSITIVE_INFINITY, retry: false } } });
  const read = (cursor: unknown, limit = LIMIT) =>
    listCallsWithHeld(db.database, workspaceId, listDecisions.parse({ range: RANGE, filters, limit, cursor }));
  const queryKey = [["decisions", "calls"], { filters: some }];
  let reads = 0;
  const observer = new InfiniteQueryObserver(queries, {
    queryKey,
    queryFn: ({ pageParam }) => {
      reads += 1;
      return read(pageParam);
    },
    initialPageParam: null as unknown,
    getNextPageParam: (page) => page.nextCursor,
  });
  const stop = observer.subscribe(() => undefined);
  let cutOff = () => {};
  const client = {
    decisions: {
      followCalls: {
        subscribe(asked: { filters: DecisionFilters }, to: { onData(message: LiveCallsMessage): void }) {
          const end = streamTo(workspaceId, asked.filters, to.onData);
          cutOff = () => {
            end();
            (to as never as { onError(): void }).onError();
          };
          return { unsubscribe: end };
        },
      },
    },
  };
  const end = follow({
    client: client as never, // holds: the one procedure that is followed
    ...{ queries, filters },
    current: () => ({ queryKey, range: RANGE, limit: LIMIT }),
    onPace: () => undefined,
  });
  return {
    reads: () => reads,
    more: () => observer.fetchNextPage(),
    cutOff: () => cutOff(),
    /** The rows on screen, and the server's answer for the same part of the list. */
    async compare(): Promise<void> {
      const { rows } = await read(null, 200);
      await vi.waitFor(
        () => {
          const data = queries.getQueryData<CallPages>(queryKey);
          const end = data?.pages.at(-1)?.nextCursor ?? null;
          const isShown = (row: CallView) =>
            end === null ||
            row.occurredAt > end.occurredAt ||
            (+row.occurredAt === +end.occurredAt && row.id >= end.id);
          expect(data?.pages.flatMap((page) => page.rows)).toEqual(rows.filter(isShown));
        },
        { timeout: 8_000, interval: 20 },
      );
    },
    end() {
      end();
      stop();
      queries.clear();
    },
  };
}

function streamTo(workspaceId: string, filters: DecisionFilters, onData: (message: LiveCallsMessage) => void) {
  const ended = new AbortController();
  const sources = { callFollower: follower, pressure: CALM };
  void (async () => {
    for await (const message of streamCalls(sources, { workspaceId, filters }, ended.signal)) {
      if (ended.signal.aborted) return;
      onData(message);
    }
  })();
  return () => ended.abort();
}

const CALLS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const decision = fc.record({
  ms: fc.integer({ min: 0, max: 2_000 }),
  /** Some clients send no id of the call. */
  call: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...CALLS) }, { weight: 1, arbitrary: fc.constant(undefined) }),
  session: fc.constantFrom("s1", "s2"),
  tool: fc.constantFrom("shell", "view"),
  agentName: fc.constantFrom("ci bot", "ci bot / inner"),
  kind: fc.constantFrom("allow", "ask", "deny", "none", "ticket", "approved", "rejected", "canceled", "ran", "failed"),
});
type Generated = typeof decision extends fc.Arbitrary<infer One> ? One : never;

const FINALS: Readonly<Record<string, readonly [string, string]>> = {
  approved: ["allow", "user_approved"],
  rejected: ["deny", "user_rejected"],
  canceled: ["canceled", ""],
};

function happenedOf({ ms, call, session, tool, agentName, kind }: Generated): Happened {
  const input = { session_id: session, tool_name: tool, tool_use_id: call, tool_input: { cmd: `${call} ${kind}` } };
  const base = { at: at(ms), agentName, verdict: "none" as const, reason: "" };
  const [final, source] = FINALS[kind] ?? [];
  if (final !== undefined)
    return {
      ...{ ...base, event: "on_tool_approval_decision" },
      input: { ...input, approval_decision: final, approval_source: source },
    };
  if (kind === "ran" || kind === "failed")
    return { ...base, event: "post_tool_use", input: { ...input, tool_error: kind === "failed", tool_response: "" } };
  if (kind === "ticket") return { ...base, input, verdict: "deny", reason: "Approval required: QD-7. Retry." };
  const verdict = kind as "allow" | "ask" | "deny" | "none"; // the other kinds
  return { ...base, input, verdict, reason: verdict === "deny" ? RULE : "" };
}

const act = fc.oneof(
  { weight: 8, arbitrary: fc.array(decision, { minLength: 1, maxLength: 4 }).map((records) => ({ records })) },
  { weight: 1, arbitrary: fc.constant("erase" as const) },
  { weight: 1, arbitrary: fc.constant("cut off" as const) },
  { weight: 1, arbitrary: fc.constant("more" as const) },
);

it("a list is the server's answer after any changes, erasures and reconnects, in any order of their times", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 3, maxLength: 9 }),
      fc.shuffledSubarray([...FILTERS], { minLength: 3, maxLength: 3 }),
      async (acts, asked) => {
        workspaces += 1;
        const workspace = await recordedWorkspace(db, `listed ${workspaces}`);
        const viewers = asked.map((some) => viewer(workspace, some));
        try {
          for (const one of acts) {
            if (one === "erase") {
              await db.owner.query("UPDATE tool_decision SET reason = '', excerpt = '' WHERE workspace_id = $1", [
                workspace.workspaceId,
              ]);
              bus.announce(workspace.workspaceId, ["decisions"]);
            } else if (one === "cut off") for (const each of viewers) each.cutOff();
            else if (one === "more") await Promise.all(viewers.map((each) => each.more()));
            else await workspace.record(...one.records.map(happenedOf));
            await Promise.all(viewers.map((each) => each.compare()));
          }
        } finally {
          for (const each of viewers) each.end();
          await workspace.close();
        }
      },
    ),
    { numRuns: 12, endOnFailure: true },
  );
}, 240_000);

it("rows come without a read, and only those of the workspace and the filter", async () => {
  const [own, other] = [await recordedWorkspace(db, "rows"), await recordedWorkspace(db, "rows of another")];
  const [all, denied] = [viewer(own, {}), viewer(own, { verdict: ["deny"] })];
  await vi.waitFor(() => expect([all.reads(), denied.reads()]).toEqual([2, 2]), { timeout: 5_000 });
  const of = (call: string, kind: Generated["kind"]) =>
    happenedOf({ ms: 500, call, kind, session: "s1", tool: "shell", agentName: "ci bot" });
  await other.record(of("theirs", "deny"));
  await own.record(of("passed", "allow"), of("refused", "deny"));
  await all.compare();
  await denied.compare();
  await own.record(of("passed", "ran"));
  await all.compare();
  expect([all.reads(), denied.reads()]).toEqual([2, 2]);
  for (const each of [all, denied]) each.end();
  await own.close();
  await other.close();
});

it("names a call once for all its decisions", () => {
  const named = { id: "1", agentId: "2", sessionId: "s", toolUseId: "c" };
  expect(callNameOf(named)).toBe(callNameOf({ ...named, id: "3" }));
  expect(callNameOf({ ...named, toolUseId: null })).not.toBe(callNameOf({ ...named, id: "3", toolUseId: null }));
});
