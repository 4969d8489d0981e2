import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  CONCURRENCY_LIMITS,
  createBreakers,
  createConcurrencyLimit,
  systemClock as hookClock,
  isEventName,
} from "@quarterdeck/hooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { builtInMasking } from "../../../e2e/fixtures/built-in-masking.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { longRun } from "../../../e2e/fixtures/long-run.ts";
import { projecting } from "../../../e2e/fixtures/projecting.ts";
import type { AgentActor } from "../../access/actor.ts";
import { create } from "../../agents/index.ts";
import { createApprovalGate } from "../../approvals/index.ts";
import { gateStepsOf } from "../../composition/gate-steps.ts";
import { approvalSources } from "../../decisions/index.ts";
import { createCallJudge, createDispatcher, type Dispatcher } from "../../dispatches/index.ts";
import { createDrillCalls } from "../../drills/index.ts";
import { type Bus, createBus } from "../../events/index.ts";
import { createExceptionsInForce } from "../../exceptions/index.ts";
import { createHaltsInForce } from "../../halts/index.ts";
import { ensureFirstRun } from "../../people/index.ts";
import { systemClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { createPlans } from "../../policies/index.ts";
import { createRecorder, memberSources } from "../../recording/index.ts";
import { createRepeatGuards } from "../../runaway-rules/index.ts";
import { statsView } from "./schema.ts";
import { countEverything } from "./service.ts";

const DATA = fileURLToPath(new URL("../../../../shared/data/", import.meta.url));
const isThere = existsSync(DATA);
if (!isThere) console.info("the recorded sessions are not beside this checkout: counting them is skipped");

interface Rig {
  readonly db: TestDatabase;
  readonly bus: Bus;
  readonly actor: AgentActor;
  readonly dispatcher: Dispatcher;
}

async function rig(): Promise<Rig> {
  const db = await testDatabase();
  const log = createLog("error");
  const bus = createBus(db.url, log);
  const { workspaceId } = await ensureFirstRun(db.database);
  const admin = { kind: "script", workspaceId, id: "test", name: "test" } as const;
  const { agentId } = await create(db.database, bus, admin, { name: "replayed" });
  const clock = hookClock;
  const place = {
    env: {},
    workingDir: "/tmp",
    room: createConcurrencyLimit(CONCURRENCY_LIMITS),
    breakers: createBreakers(clock),
  };
  const environment = { kindsOf: () => [], clock, ...place };
  const plans = createPlans({ db: db.database, bus, log, ...environment, observedEnvironment: environment });
  const { recorder } = projecting(createRecorder(db.database.pool, bus, log), db.database, bus);
  const judge = createCallJudge(plans, builtInMasking);
  const steps = gateStepsOf({
    pool: db.database.pool,
    drills: createDrillCalls(db.database.pool),
    repeatGuards: createRepeatGuards({ db: db.database, bus, clock: systemClock }),
    halts: createHaltsInForce(db.database.pool, bus),
    exceptions: createExceptionsInForce({ pool: db.database.pool, bus, log }),
    approvals: createApprovalGate({ pool: db.database.pool, bus, log, workers: 1, masking: builtInMasking }),
    judge,
    observing: { observe: () => undefined },
    plans,
  });
  const dispatcher = createDispatcher({
    pool: db.database.pool,
    plans,
    steps,
    judge,
    recorder,
    clock: systemClock,
    masking: builtInMasking,
    answerKey: Buffer.alloc(32),
  });
  return {
    db,
    bus,
    actor: { kind: "agent", workspaceId, id: agentId, name: "replayed", scopes: ["dispatch"] },
    dispatcher,
  };
}

async function close({ bus, db }: Rig): Promise<void> {
  await bus.close();
  await db.drop();
}

interface Line {
  readonly event: string;
  readonly at_ms: number;
  readonly text: string;
  readonly eventId: string;
}

function files(): Line[][] {
  const folder = `${DATA}sessions`;
  return readdirSync(folder).map((name) =>
    readFileSync(`${folder}/${name}`, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const { event, at_ms } = JSON.parse(line) as Line; // the fixtures' own format
        const text = memberSources(line).get("input") ?? "";
        const hex = createHash("sha256").update(line).digest("hex");
        const eventId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
        return { event, at_ms, text, eventId };
      }),
  );
}

async function send(to: Rig, way: "dispatch" | "report", { event, at_ms, text, eventId }: Line): Promise<void> {
  if (!isEventName(event, "2026-08")) throw new Error(`unknown event ${event}`);
  const common = { event, lane: "default", text, input: JSON.parse(text) } as const;
  const { actor, dispatcher } = to;
  if (way === "report") await dispatcher.report(actor, { ...common, eventId, occurredMs: Date.now() - 8e6 + at_ms });
  else await dispatcher.dispatch(actor, { ...common, idempotencyKey: eventId, client: new AbortController() });
}

/** Files beside each other. What is dispatched keeps its order; reports carry their instants and come in batches. */
async function replay(to: Rig, way: "dispatch" | "report"): Promise<void> {
  const atOnce = way === "report" ? 50 : 1;
  await Promise.all(
    files().map(async (lines) => {
      for (let from = 0; from < lines.length; from += atOnce)
        await Promise.all(lines.slice(from, from + atOnce).map((line) => send(to, way, line)));
    }),
  );
}

const expectedDecisions = z.object({
  overall: z.object({ decisions: z.record(z.string(), z.record(z.string(), z.number())) }),
});

/** Both ways are recorded and counted by the same code; the long run takes the dearer one too. */
const WAYS = longRun ? (["report", "dispatch"] as const) : (["report"] as const);

describe.skipIf(!isThere).each(WAYS)("every recorded session, as %s", (way) => {
  let to: Rig;
  beforeAll(async () => {
    to = await rig();
    await replay(to, way);
  }, 120_000);
  afterAll(() => close(to));

  test("counts equal the published ones, to the last digit", async () => {
    const expected: unknown = JSON.parse(readFileSync(`${DATA}expected.json`, "utf8"));
    const counted = statsView.parse(await countEverything(to.db.database, to.actor.workspaceId));
    expect(JSON.parse(JSON.stringify(counted))).toEqual(expected);
  });

  test("what settled the calls is summed as published, by source and verdict", async () => {
    const { overall } = expectedDecisions.parse(JSON.parse(readFileSync(`${DATA}expected.json`, "utf8")));
    const range = { from: new Date(Date.now() - 3e8), to: new Date(Date.now() + 3e8), verdict: "all" as const };
    const { sources, total, kinds } = await approvalSources(to.db.database, to.actor.workspaceId, range);
    const counted: Record<string, Record<string, number>> = {};
    for (const { verdict, source, count } of sources) counted[verdict] = { ...counted[verdict], [source]: count };
    expect(counted).toEqual(overall.decisions);
    expect(total).toBe(814);
    expect(kinds).toEqual({ yolo: 284, rule: 171, hook: 89, person: 222, nobody: 48 });
  });

  test("a second replay changes nothing", async () => {
    const before = await countEverything(to.db.database, to.actor.workspaceId);
    await replay(to, way);
    expect(await countEverything(to.db.database, to.actor.workspaceId)).toEqual(before);
  }, 120_000);
});

describe("an empty workspace and an odd one", () => {
  let to: Rig;
  beforeEach(async () => {
    to = await rig();
  });
  afterEach(() => close(to));

  test("nothing stored is counted as nothing", async () => {
    const stats = await countEverything(to.db.database, to.actor.workspaceId);
    expect(stats.sessions).toEqual({ all: 0, roots: 0, sub_sessions: 0 });
    expect(stats.overall.ledger).toMatchObject({ calls: 0, usd: "0" });
    expect(stats.exact_usd.overall).toBe("0");
  });

  test("sessions that call each other parent are counted once, and names of objects' own parts are names", async () => {
    const line = (event: string, input: object, at_ms: number): Line => {
      const text = JSON.stringify(input);
      const hex = createHash("sha256").update(text).digest("hex");
      return {
        event,
        at_ms,
        text,
        eventId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5"),
      };
    };
    await send(to, "report", line("subagent_stop", { session_id: "a", parent_session_id: "b" }, 1));
    await send(to, "report", line("subagent_stop", { session_id: "b", parent_session_id: "a" }, 2));
    const odd = { session_id: "constructor", model_id: "toString", cost: 0.1 };
    await send(to, "report", line("after_llm_call", odd, 3));
    const stats = await countEverything(to.db.database, to.actor.workspaceId);
    expect(stats.sessions.all).toBe(3);
    expect(Object.values(stats.by_root_session).reduce((sum, family) => sum + family.sessions, 0)).toBe(3);
    expect(stats.overall.ledger.by_model).toEqual({ toString: { calls: 1, usd: "0.1" } });
    expect(stats.exact_usd.by_session.constructor).toBe("0.1");
  });
});
