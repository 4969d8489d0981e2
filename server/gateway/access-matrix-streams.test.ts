/** The streams of the access matrix: what each caller reads from them, and that it is what SQL would answer. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AccessRig, accessRig, CALLERS, MARK, procedures } from "../../e2e/fixtures/access-matrix.ts";
import type { Actor } from "../access/actor.ts";
import { may } from "../access/permissions.ts";
import { appRouter } from "../composition/router.ts";
import { callViewIn, type LiveCallsMessage } from "../decisions/live-calls/schema.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createCallerFactory } from "../trpc/init.ts";

const SECRET = `ghp_${"a1B2".repeat(9)}`;
const HOUR_MS = 3_600_000;

let rig: AccessRig;
beforeAll(async () => {
  rig = await accessRig();
});
afterAll(() => rig?.stop());

/** A call in one's own workspace, then one with the mark in the other; both hold a secret. */
async function send(call: string): Promise<void> {
  for (const [key, text] of [
    [rig.foreign.agentKey, MARK],
    [rig.own.agentKey, "mine"],
  ] as const) {
    const response = await fetch(`${rig.server.url}/api/v1/hooks/on_tool_approval_decision`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        ...{ session_id: text, tool_name: text, tool_use_id: `${call} ${text}` },
        tool_input: { cmd: `echo ${text} ${SECRET}` },
        ...{ approval_decision: "deny", approval_source: "user_rejected" },
      }),
    });
    expect(response.status).toBe(200);
  }
}

/** Reads a stream as this caller, until its end. */
function read(actor: Actor | null, path: string, input: object) {
  const { app } = rig.server.running;
  const ended = new AbortController();
  const context = { db: app.db, actor, app, session: null, confirmedAt: new Date(), setHeader: () => undefined };
  const caller = createCallerFactory(appRouter)(context, { signal: ended.signal });
  const [room = "", name = ""] = path.split(".");
  const procedure = (
    caller as unknown as Record<string, Record<string, (input: object) => Promise<AsyncIterable<unknown>>>>
  )[room]?.[name]; // any procedure by its path
  const messages: unknown[] = [];
  let isRefused = false;
  const reading = async () => {
    const stream = await procedure?.(input).catch(() => null);
    isRefused = stream === null;
    for await (const message of stream ?? []) messages.push(message);
  };
  const done = reading();
  return {
    messages,
    isRefused: () => isRefused,
    end() {
      ended.abort();
      return done;
    },
  };
}

const followed = ["events.changes", "decisions.followCalls"];
const inputs: Readonly<Record<string, readonly object[]>> = {
  "events.changes": [{}],
  "decisions.followCalls": [
    {},
    // Filters that name what is another workspace's find nothing of it.
    { filters: { tool: [MARK, "mine"], agent: [MARK, "mine"] } },
    { filters: { session: [MARK] } },
  ],
};

describe("every stream of live changes", () => {
  it.each(followed)("%s shows those who may read it what is their own, masked, and to others nothing", async (path) => {
    const { permission = "anyone" } = procedures.find((one) => one.path === path) ?? {};
    if (permission === "anyone") throw new Error(`${path} is for anyone`);
    const readers = CALLERS.flatMap(([title, actorIn]) =>
      (inputs[path] ?? []).map((input) => {
        const actor = actorIn(rig.own.id);
        return { title, input, isAllowed: may(actor, permission), reader: read(actor, path, input) };
      }),
    );
    const isMine = ({ input }: (typeof readers)[number]) => !JSON.stringify(input).includes(`session`);
    const allowed = readers.filter(({ isAllowed }) => isAllowed);
    await expect.poll(() => allowed.map(({ reader }) => reader.messages.length > 0)).toEqual(allowed.map(() => true));
    await send(`${path} ${uuidv7()}`);
    const wanted = path === "events.changes" ? '"calls"' : "mine";
    const textOf = ({ reader }: (typeof readers)[number]) => JSON.stringify(reader.messages);
    const seen = () => allowed.filter(isMine).map((one) => textOf(one).includes(wanted));
    await expect.poll(seen).toEqual(allowed.filter(isMine).map(() => true));
    for (const one of readers) {
      const { title, reader, isAllowed } = one;
      expect({ title, isRefused: reader.isRefused() }).toEqual({ title, isRefused: !isAllowed });
      expect(textOf(one)).not.toContain(MARK);
      expect(textOf(one)).not.toContain(SECRET);
      if (!isAllowed) expect(reader.messages).toEqual([]);
    }
    await Promise.all(readers.map(({ reader }) => reader.end()));
  });

  it("rows are those that the list answers to the same caller", async () => {
    const range = { from: new Date(Date.now() - HOUR_MS), to: new Date(Date.now() + HOUR_MS) };
    const name = `row ${uuidv7()}`;
    const actor: Actor = { workspaceId: rig.own.id, id: uuidv7(), name: "viewer", kind: "person", role: "viewer" };
    const reader = read(actor, "decisions.followCalls", {});
    await expect.poll(() => reader.messages).toEqual([{ kind: "started" }]);
    await send(name);
    const rows = () =>
      (reader.messages as LiveCallsMessage[]).flatMap((message) =>
        message.kind === "calls" ? message.calls.map((call) => callViewIn(call, range)) : [],
      );
    await expect.poll(() => rows().map((row) => row?.toolUseId)).toEqual([`${name} mine`]);
    const list = rig.procedure(actor, "decisions.calls");
    const answer = (await list({ range, order: "newest", limit: 5, filters: {} })) as { rows: { toolUseId: string }[] };
    expect(rows()).toEqual(answer.rows.filter(({ toolUseId }) => toolUseId === `${name} mine`));
    await reader.end();
  });

  it("are these: the others end with their work", () => {
    const streams = Object.entries(appRouter._def.procedures).flatMap(([path, one]) =>
      (one as unknown as { _def: { type: string } })._def.type === "subscription" ? [path] : [],
    );
    const works = ["audit.verify", "backtest.measure", "backtest.pack"];
    expect(streams.toSorted()).toEqual([...works, ...followed].toSorted());
  });
});
