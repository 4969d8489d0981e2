/**
 * Figures on screen, over the real recorder, projectors, bus and PostgreSQL: after any sequence of changes each is what
 * SQL answers, although viewers share answers.
 */
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createHeardChanges } from "@/components/trpc/heard";
import { createInterests } from "@/components/trpc/interests";
import { type TestDatabase, testDatabase } from "@/e2e/fixtures/database";
import { type Happened, type RecordedWorkspace, recordedWorkspace } from "@/e2e/fixtures/recorded";
import { HEARD_HEADER } from "@/server/access/heard-schema";
import { appRouter } from "@/server/composition/router";
import { correct } from "@/server/costs/ledger/service";
import { decisionFilters } from "@/server/decisions/schema";
import { type Bus, createBus } from "@/server/events/service";
import { streamChanges } from "@/server/events/viewer-stream";
import { uuidv7 } from "@/server/platform/ids";
import { createLog } from "@/server/platform/log";
import type { App } from "@/server/trpc/context";
import { createCallerFactory } from "@/server/trpc/init";

const START_MS = Date.UTC(2026, 10, 20, 12);
const MINUTE_MS = 60_000;
const at = (minutes: number) => new Date(START_MS + minutes * MINUTE_MS);
/** Records come before it and after it too. */
const RANGE = { from: at(10), to: at(70) };
const filters = decisionFilters.parse({});
const CALM = { level: 0, untilBelow: async () => true, onChange: () => () => undefined };
const TOPICS = ["overview", "costs", "decisions", "calls", "approvals"] as const;
/** Figures follow at their common moments in production; here as fast as they are read. */
const meta = { refreshEveryMs: 20 };

let db: TestDatabase;
let bus: Bus;
let workspaces = 0;
beforeAll(async () => {
  db = await testDatabase();
  bus = createBus(db.url, createLog("error"));
  await vi.waitUntil(() => bus.isCurrent(), { timeout: 10_000 });
});
afterAll(async () => {
  await bus.close();
  await db.drop();
});

const callerOf = createCallerFactory(appRouter);
function proceduresOf(workspaceId: string, heard?: string) {
  const actor = { kind: "person", role: "viewer", workspaceId, id: uuidv7(), name: "viewer" } as const;
  const app = { changes: bus } as unknown as App; // holds: queries ask for no other part
  return callerOf({ db: db.database, app, actor, session: null, heard, setHeader: () => undefined });
}
type Procedures = ReturnType<typeof proceduresOf>;

const FIGURES: Readonly<Record<string, (of: Procedures) => Promise<unknown>>> = {
  "overview.summary": (of) => of.overview.summary(RANGE),
  "overview.series": (of) => of.overview.series(RANGE),
  "overview.finalDecisions": (of) => of.overview.finalDecisions(RANGE),
  "costs.summary": (of) => of.costs.summary(RANGE),
  "costs.byModel": (of) => of.costs.byModel(RANGE),
  "costs.byAgent": (of) => of.costs.byAgent(RANGE),
  "decisions.callSeries": (of) => of.decisions.callSeries({ range: RANGE, filters }),
  "decisions.callSeries of denials": (of) =>
    of.decisions.callSeries({ range: RANGE, filters: { ...filters, verdict: ["deny"] } }),
};

/** A page as a browser has it, with its own stream. */
function viewer(workspaceId: string) {
  const queries = new QueryClient({ defaultOptions: { queries: { gcTime: Number.POSITIVE_INFINITY, retry: false } } });
  const interests = createInterests(queries);
  const heard = createHeardChanges();
  const ends = [interests.follow(TOPICS)];
  const keyOf = (name: string) => [name.split(" ")[0]?.split("."), name];
  for (const [name, ask] of Object.entries(FIGURES)) {
    const queryFn = () => ask(proceduresOf(workspaceId, heard.headers()[HEARD_HEADER]));
    ends.push(new QueryObserver(queries, { queryKey: keyOf(name), queryFn, meta }).subscribe(() => undefined));
  }
  let stream = new AbortController();
  const connect = async (isReturn: boolean) => {
    const { signal } = stream;
    for await (const change of streamChanges({ bus, pressure: CALM }, { workspaceId, isReturn }, signal)) {
      if (signal.aborted) return;
      if (change.heard !== undefined) heard.note(change.heard);
      if (change.refetch) interests.changedAll();
      else interests.changed(change.topics);
    }
  };
  void connect(true);
  return {
    cutOff() {
      stream.abort();
      heard.forget();
    },
    reconnect() {
      if (!stream.signal.aborted) return;
      stream = new AbortController();
      void connect(true);
    },
    shown: () => Object.fromEntries(Object.keys(FIGURES).map((name) => [name, queries.getQueryData(keyOf(name))])),
    end() {
      stream.abort();
      for (const end of ends) end();
      queries.clear();
    },
  };
}

async function answers(workspaceId: string): Promise<Record<string, unknown>> {
  const of = proceduresOf(workspaceId);
  const answered = Object.entries(FIGURES).map(async ([name, ask]) => [name, await ask(of)] as const);
  return Object.fromEntries(await Promise.all(answered));
}

const happened = fc.record({
  minutes: fc.integer({ min: 0, max: 80 }),
  call: fc.constantFrom("a", "b", "c", "d", "e"),
  agentName: fc.constantFrom("ci bot", "ci bot / inner"),
  kind: fc.constantFrom("allow", "ask", "deny", "none", "final", "priced", "unpriced", "compaction"),
});
type Generated = typeof happened extends fc.Arbitrary<infer One> ? One : never;

function happenedOf({ minutes, call, agentName, kind }: Generated): Happened {
  const base = { at: at(minutes), agentName, verdict: "none" as const, reason: "" };
  const tool = { session_id: "s1", tool_name: "shell", tool_use_id: call, tool_input: { cmd: call } };
  const model = { session_id: "s1", model_id: `a/${call}`, usage: { input_tokens: 10, output_tokens: 2 } };
  if (kind === "priced") return { ...base, event: "after_llm_call", input: { ...model, cost: 0.25 }, costUsd: "0.25" };
  if (kind === "unpriced") return { ...base, event: "after_llm_call", input: model };
  if (kind === "compaction")
    return { ...base, event: "after_compaction", input: { session_id: "s1", compaction_reason: "threshold" } };
  if (kind === "final") {
    const final = { approval_decision: "deny", approval_source: "user_rejected" };
    return { ...base, event: "on_tool_approval_decision", input: { ...tool, ...final } };
  }
  return { ...base, input: tool, verdict: kind };
}

const act = fc.oneof(
  { weight: 8, arbitrary: fc.array(happened, { minLength: 1, maxLength: 5 }).map((records) => ({ records })) },
  { weight: 2, arbitrary: fc.constant("correct" as const) },
  { weight: 1, arbitrary: fc.constant("erase" as const) },
  { weight: 1, arbitrary: fc.constant("cut off" as const) },
  { weight: 2, arbitrary: fc.constant("reconnect" as const) },
);

/** Corrects the cost of the first reported call, if there is one without a correction. */
async function correctOne(workspaceId: string, calls: { id: string; occurredAt: Date }[]): Promise<void> {
  const call = calls.shift();
  if (call === undefined) return;
  const actor = { kind: "script", workspaceId, id: "test", name: "test" } as const;
  const correction = { call, usd: "0.1", reason: "The invoice says so.", corrects: null };
  await correct({ db: db.database, bus }, actor, correction);
}

async function erase(workspaceId: string): Promise<void> {
  await db.owner.query("UPDATE tool_decision SET reason = '', excerpt = '' WHERE workspace_id = $1", [workspaceId]);
  bus.announce(workspaceId, ["decisions", "overview"]);
}

async function record(workspace: RecordedWorkspace, records: readonly Generated[]) {
  const ids = await workspace.record(...records.map(happenedOf));
  return records.flatMap(({ kind, minutes }, place) =>
    kind === "priced" || kind === "unpriced" ? [{ id: ids[place] ?? "", occurredAt: at(minutes) }] : [],
  );
}

it("each figure is SQL's answer after any changes, corrections, erasures and reconnects, in any order of their times", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 9 }), async (acts) => {
      workspaces += 1;
      const workspace = await recordedWorkspace(db, `figures ${workspaces}`);
      const { workspaceId } = workspace;
      // The comparison with the time before needs a time before.
      await record(workspace, [{ minutes: -100, call: "a", agentName: "ci bot", kind: "priced" }]);
      const steady = [viewer(workspaceId), viewer(workspaceId)];
      const tossed = viewer(workspaceId);
      const priced: { id: string; occurredAt: Date }[] = [];
      const compare = async (viewers: readonly ReturnType<typeof viewer>[]) => {
        const expected = await answers(workspaceId);
        await vi.waitFor(
          () => {
            for (const each of viewers) expect(each.shown()).toEqual(expected);
          },
          { timeout: 8_000, interval: 20 },
        );
      };
      try {
        for (const one of acts) {
          if (one === "correct") await correctOne(workspaceId, priced);
          else if (one === "erase") await erase(workspaceId);
          else if (one === "cut off") tossed.cutOff();
          else if (one === "reconnect") tossed.reconnect();
          else priced.push(...(await record(workspace, one.records)));
          await compare(steady);
        }
        tossed.reconnect();
        await compare([...steady, tossed]);
      } finally {
        for (const each of [...steady, tossed]) each.end();
        await workspace.close();
      }
    }),
    { numRuns: 8, endOnFailure: true },
  );
}, 240_000);
