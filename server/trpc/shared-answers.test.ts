/** Answers that viewers share, through the procedures' own middleware, the bus and HTTP. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import type { Actor } from "../access/actor.ts";
import { HEARD_HEADER, heardText, positionText, readHeard } from "../access/heard-schema.ts";
import type { Role } from "../access/role-schema.ts";
import { liveChange } from "../events/schema.ts";
import { streamChanges } from "../events/viewer-stream.ts";
import { uuidv7 } from "../platform/ids.ts";
import { currentScope } from "../platform/scope.ts";
import { can, coalescedQuery, createCallerFactory, router } from "./init.ts";
import { encodeOnce, transformer } from "./transformer.ts";

/** No gate waits. */
const CALM = { level: 0, untilBelow: async () => true, onChange: () => () => undefined };

let db: TestDatabase;
let server: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  await vi.waitUntil(() => server.running.app.bus.isCurrent(), { timeout: 10_000 });
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

/** Counts its answers; each says its number, and whose it is. Questions differ by their text from those of other tests. */
function countingRouter() {
  let count = 0;
  const answer = ({ ctx }: { ctx: { workspaceId: string } }) => {
    count += 1;
    return `${count} in ${ctx.workspaceId}, scope ${currentScope()}`;
  };
  return router({
    figures: coalescedQuery("console:read").input(z.string()).query(answer),
    log: coalescedQuery("audit:read").query(answer),
    person: coalescedQuery("console:read").query(({ ctx }) => [ctx.actor, ctx.session]),
    own: can("console:read").query(({ ctx }) => ctx.actor.id),
  });
}

interface Asker {
  readonly role?: Role;
  readonly workspaceId?: string;
  readonly heard?: string | undefined;
}

function askersOf(counting: ReturnType<typeof countingRouter>) {
  const callerOf = createCallerFactory(counting);
  return ({ role = "viewer", workspaceId = server.admin.workspaceId, heard }: Asker = {}) => {
    const { app } = server.running;
    const actor: Actor = { kind: "person", role, workspaceId, id: uuidv7(), name: role };
    return callerOf({ db: app.db, app, actor, session: uuidv7(), heard, setHeader: () => undefined });
  };
}

const bus = () => server.running.app.bus;
const heardNow = (changedAgoMs: number | null = null) => heardText(positionText(bus().position()), changedAgoMs);
const numberIn = (answer: string) => Number.parseInt(answer, 10);

describe("viewers with the same question", () => {
  let question: string;
  beforeEach(() => {
    question = uuidv7();
  });

  it("share the answer that began after the change they heard of, until the next one", async () => {
    const askAs = askersOf(countingRouter());
    bus().announce(server.admin.workspaceId, ["overview"]);
    const first = heardNow();
    const asked = [await askAs({ heard: first }).figures(question)];
    for (let viewer = 0; viewer < 20; viewer += 1) asked.push(await askAs({ heard: first }).figures(question));
    expect(new Set(asked.map(numberIn))).toEqual(new Set([1]));
    bus().announce(server.admin.workspaceId, ["overview"]);
    expect(numberIn(await askAs({ heard: heardNow() }).figures(question))).toBe(2);
    // A viewer that has not yet heard of the last change gets the newer answer too.
    expect(numberIn(await askAs({ heard: first }).figures(question))).toBe(2);
    expect(numberIn(await askAs({ heard: heardNow() }).figures(uuidv7()))).toBe(3);
  });

  it("have answers of their own without a stream, and after an act of their own", async () => {
    const askAs = askersOf(countingRouter());
    const heard = heardNow();
    expect(numberIn(await askAs({ heard }).figures(question))).toBe(1);
    expect(numberIn(await askAs().figures(question))).toBe(2);
    expect(numberIn(await askAs({ heard: heardNow(0) }).figures(question))).toBe(3);
    expect(numberIn(await askAs({ heard: heardNow(60_000) }).figures(question))).toBe(3);
  });

  it("share none across workspaces, and each answer has its own scope", async () => {
    const askAs = askersOf(countingRouter());
    const heard = heardNow();
    const other = uuidv7();
    const own = await askAs({ heard }).figures(question);
    const foreign = await askAs({ heard, workspaceId: other }).figures(question);
    const { workspaceId } = server.admin;
    expect([own, foreign]).toEqual([`1 in ${workspaceId}, scope ${workspaceId}`, `2 in ${other}, scope ${other}`]);
  });

  it("are refused without the permission, though another role's answer is there", async () => {
    const askAs = askersOf(countingRouter());
    const heard = heardNow();
    expect(numberIn(await askAs({ heard, role: "auditor" }).log())).toBe(1);
    expect(numberIn(await askAs({ heard, role: "owner" }).log())).toBe(1);
    await expect(askAs({ heard, role: "viewer" }).log()).rejects.toThrow();
  });

  it("have an answer that knows no person", async () => {
    const ask = askersOf(countingRouter())();
    expect(await ask.person()).toEqual([null, null]);
    expect(await ask.own()).not.toBe("");
  });
});

describe("an answer", () => {
  const encode = transformer.output.serialize;

  it("that is shared is encoded once, the same as any other", () => {
    const rows = [{ at: new Date(5), cost: 7n }];
    const [shared, other] = [{ rows }, { rows }];
    encodeOnce(shared);
    const first = encode(shared);
    expect(encode(shared)).toBe(first);
    expect(encode(other)).toEqual(first);
    expect(transformer.output.deserialize(first)).toEqual({ rows });
  });

  it("of a procedure with a changing state is encoded each time", () => {
    const state = { count: 1 };
    encode(state);
    state.count = 2;
    expect(transformer.output.deserialize(encode(state))).toEqual({ count: 2 });
  });

  it.each([null, undefined, "text", 5n])("without members is encoded as it is: %s", (value) => {
    encodeOnce(value);
    expect(transformer.output.deserialize(encode(value))).toEqual(value);
  });
});

describe("the stream", () => {
  it("sends the position of each change, the same to all viewers, and none of other workspaces", async () => {
    const { workspaceId } = server.admin;
    const ended = new AbortController();
    const open = () => streamChanges({ bus: bus(), pressure: CALM }, { workspaceId, isReturn: false }, ended.signal);
    const viewers = [open(), open()];
    /** Each viewer's next message about changes; one about the bus's own connection may come before it. */
    const next = async (viewer: ReturnType<typeof open>) => {
      for await (const message of { [Symbol.asyncIterator]: () => ({ next: () => viewer.next() }) })
        if (message.isCurrent === undefined) return message;
      return null;
    };
    const messages = () => Promise.all(viewers.map(next));
    expect(new Set((await messages()).map((hello) => hello?.heard))).toEqual(new Set([positionText(bus().position())]));
    bus().announce(workspaceId, ["costs"]);
    const changed = positionText(bus().position());
    bus().announce(uuidv7(), ["costs"]);
    bus().announce(workspaceId, ["log"]);
    expect(await messages()).toEqual([
      { topics: ["costs"], heard: changed },
      { topics: ["costs"], heard: changed },
    ]);
    ended.abort();
    expect(await messages()).toEqual([null, null]);
  });
});

describe("after any sequence of commits, acts and reconnects", () => {
  /** A figure that counts commits, and takes its time between reading and answering. */
  function slowFigure(random: () => number) {
    /** The sequence of the bus after each commit. */
    const commits: number[] = [];
    let reads = 0;
    const read = async () => {
      const count = commits.length;
      reads += 1;
      await delay(random() * 30);
      return count;
    };
    return {
      router: router({ figure: coalescedQuery("console:read").input(z.string()).query(read) }),
      commit() {
        // The bus counts a change before anyone hears of it.
        commits.push(bus().position().sequence + 1);
        bus().announce(server.admin.workspaceId, ["overview"]);
        return commits.length;
      },
      /** The commits that a viewer with this position has heard of. */
      heardOf: (sequence: number) => commits.filter((one) => one <= sequence).length,
      counts: () => ({ commits: commits.length, reads }),
    };
  }

  it.each([1, 2, 3])("a screen shows no less than it heard of, and the last in the end: seed %d", async (seed) => {
    const random = seededRandom(seed);
    const { router: figures, commit, heardOf, counts } = slowFigure(random);
    const { app } = server.running;
    const { workspaceId } = server.admin;
    const ended = new AbortController();
    const text = uuidv7();
    let asked = 0;
    const ask = (heard: string) => {
      asked += 1;
      const actor: Actor = { kind: "person", role: "viewer", workspaceId, id: uuidv7(), name: "viewer" };
      const context = { db: app.db, app, actor, session: null, heard, setHeader: () => undefined };
      return createCallerFactory(figures)(context).figure(text);
    };
    const view = async () => {
      let shown = -1;
      let actedMs: number | null = null;
      while (!ended.signal.aborted) {
        // It loses its stream now and then.
        const lost = new AbortController();
        const signal = AbortSignal.any([lost.signal, ended.signal]);
        let left = 1 + Math.floor(random() * 6);
        for await (const { heard } of streamChanges(
          { bus: bus(), pressure: CALM },
          { workspaceId, isReturn: shown >= 0 },
          signal,
        )) {
          if (heard === undefined) continue;
          const act = random() < 0.2 && !ended.signal.aborted ? commit() : 0;
          if (act > 0) actedMs = performance.now();
          const value = await ask(heardText(heard, actedMs === null ? null : performance.now() - actedMs));
          expect(value).toBeGreaterThanOrEqual(Math.max(shown, act, heardOf(readHeard(heard)?.sequence ?? 0)));
          shown = value;
          left -= 1;
          if (left === 0) lost.abort();
        }
      }
      return shown;
    };
    const viewers = Array.from({ length: 6 }, view);
    for (let round = 0; round < 40; round += 1) {
      commit();
      await delay(random() * 40);
    }
    ended.abort();
    for (const shown of await Promise.all(viewers)) expect(shown).toBeLessThanOrEqual(counts().commits);
    // Each screen hears of the last commit, and asks once more.
    const last = commit();
    const position = positionText(bus().position());
    expect(await Promise.all(viewers.map(() => ask(position)))).toEqual(viewers.map(() => last));
    expect(counts().reads).toBeLessThan(asked);
  });
});

/** A fixed sequence of numbers from 0 to 1 (mulberry32): the same in every run. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe("over HTTP", () => {
  it("a viewer gets a recent answer while it has heard of no change, and a script its own", async () => {
    const headers = { authorization: `Bearer ${server.secrets.adminToken}` };
    const ended = new AbortController();
    const stream = await fetch(`${server.url}/api/trpc/events.changes`, {
      headers: { ...headers, accept: "text/event-stream" },
      signal: ended.signal,
    });
    const heard = await firstPosition(stream);
    const view = async (more: Record<string, string>) => {
      const answer = await fetch(`${server.url}/api/trpc/calendar.view`, { headers: { ...headers, ...more } });
      expect(answer.status).toBe(200);
      return (await answer.text()).includes("Europe/Lisbon");
    };
    expect(await view({ [HEARD_HEADER]: heard })).toBe(false);
    // No one announces it: only an answer of its own sees it at once.
    await db.owner.query(
      "INSERT INTO workspace_time_zone (workspace_id, from_day, time_zone, set_by) VALUES ($1, '2020-01-01', 'Europe/Lisbon', 'Ada')",
      [server.admin.workspaceId],
    );
    expect(await view({ [HEARD_HEADER]: heard })).toBe(false);
    expect(await view({ [HEARD_HEADER]: heardText(heard, 0) })).toBe(true);
    expect(await view({})).toBe(true);
    ended.abort();
  });
});

/** The position in the first message of a stream. */
async function firstPosition(response: Response): Promise<string> {
  let text = "";
  for await (const part of response.body ?? []) {
    text += new TextDecoder().decode(part);
    const data = /^data: (\{.*"heard".*\})$/m.exec(text)?.[1];
    if (data !== undefined) return liveChange.parse(JSON.parse(data).json).heard ?? "";
  }
  throw new Error("the stream ended");
}
