import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type Happened, type RecordedWorkspace, recordedWorkspace } from "../../e2e/fixtures/recorded.ts";
import { AppError } from "../errors/app-error.ts";
import {
  countDecisionsInput,
  type DecisionView,
  decisionDetail,
  decisionFacets,
  decisionPage,
  listDecisions,
} from "./schema.ts";
import * as service from "./service.ts";

const NOON = new Date("2026-11-20T12:00:00.000Z");
const DAY = { from: new Date("2026-11-20T00:00:00Z"), to: new Date("2026-11-21T00:00:00Z") };
const at = (ms: number) => new Date(NOON.getTime() + ms);
const gate = (ms: number, verdict: "allow" | "ask" | "deny" | "none", cmd: string, more: object = {}): Happened => ({
  at: at(ms),
  verdict,
  reason: `${verdict} by "guard"`,
  input: { session_id: "s1", tool_name: "shell", tool_use_id: `call_${ms}`, tool_input: { cmd }, ...more },
});
const final = (ms: number, decision: string, source: string, more: object = {}): Happened => ({
  at: at(ms),
  event: "on_tool_approval_decision",
  input: {
    session_id: "s1",
    tool_name: "read_file",
    tool_use_id: `call_${ms}`,
    tool_input: { path: "/etc/hosts" },
    approval_decision: decision,
    approval_source: source,
    ...more,
  },
});

let db: TestDatabase;
const open: RecordedWorkspace[] = [];
const workspace = async () => {
  const made = await recordedWorkspace(db, "one");
  open.push(made);
  return made;
};
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(async () => {
  await Promise.all(open.map((each) => each.close()));
  await db.drop();
});

/** Parsed on the way in and out, as the procedure does. */
async function list(of: RecordedWorkspace, input: object = {}) {
  const asked = listDecisions.parse({ range: DAY, ...input });
  return decisionPage.parse(await service.list(db.database, of.workspaceId, asked));
}
const commands = (rows: readonly DecisionView[]) => rows.map((row) => row.excerpt);

describe("the list of decisions", () => {
  it("shows gates and finals, the newest first, and those of no other workspace", async () => {
    const [one, other] = [await workspace(), await workspace()];
    await one.record(gate(1, "deny", "rm -rf /"), final(2, "allow", "readonly_hint"));
    await other.record(gate(3, "deny", "secret command"));
    const { rows, nextCursor, searched } = await list(one);
    expect(rows.map(({ kind, verdict, source }) => [kind, verdict, source])).toEqual([
      ["final", "allow", "readonly_hint"],
      ["gate", "deny", "pre_tool_use_hook_deny"],
    ]);
    expect([nextCursor, searched]).toEqual([null, null]);
    expect(commands((await list(other)).rows)).toEqual(["secret command"]);
    expect(commands((await list(other, { filters: { text: "rm -rf" } })).rows)).toEqual([]);
  });

  it("holds a call without a verdict at the gate where it is counted, and no other gate without one", async () => {
    const one = await workspace();
    const silent = { ...gate(1, "allow", "ls"), verdict: "none", reason: "No hook applies." } as const;
    await one.record(silent, { ...silent, event: "permission_request" }, { ...silent, origin: "report" });
    expect((await list(one)).rows).toMatchObject([
      { kind: "gate", verdict: "none", source: "no_rule", reason: "", excerpt: "ls" },
    ]);
  });

  it("holds a call without a verdict of the hooks next to an agent, which reports the revision that decided", async () => {
    const one = await workspace();
    await one.record({ ...gate(1, "none", "ls"), reason: "", origin: "report", revision: "fedcba9876543210" });
    expect((await list(one)).rows).toMatchObject([{ kind: "gate", verdict: "none", source: "no_rule", excerpt: "ls" }]);
  });

  it.each(["newest", "oldest"] as const)(
    "pages through equal instants without loss or repeat, %s first",
    async (order) => {
      const one = await workspace();
      // Eleven at one instant, between two at their own.
      await one.record(...[0, ...Array<number>(11).fill(5), 9].map((ms, index) => gate(ms, "allow", `c${index}`)));
      const seen: DecisionView[] = [];
      let cursor: object | null = null;
      let pages = 0;
      do {
        const page = await list(one, { order, limit: 3, cursor });
        seen.push(...page.rows);
        cursor = page.nextCursor;
        pages += 1;
      } while (cursor && pages < 20);
      expect(pages).toBe(5);
      expect(new Set(seen.map((row) => row.id)).size).toBe(13);
      const whole = await list(one, { order, limit: 200 });
      expect(seen).toEqual(whole.rows);
      const times = seen.map((row) => row.occurredAt.getTime() * (order === "newest" ? -1 : 1));
      expect(times).toEqual([...times].sort((a, b) => a - b));
    },
  );

  it("holds to the range: its start is in, its end is out", async () => {
    const one = await workspace();
    await one.record(gate(0, "allow", "a"), gate(10, "allow", "b"), gate(20, "allow", "c"));
    const { rows } = await list(one, { range: { from: at(0), to: at(20) } });
    expect(commands(rows)).toEqual(["b", "a"]);
  });
});

describe("filters", () => {
  let one: RecordedWorkspace;
  beforeAll(async () => {
    one = await workspace();
    await one.record(
      gate(1, "deny", "rm -rf /srv"),
      gate(2, "ask", "git push --force", { session_id: "s2" }),
      gate(3, "allow", "Echo 100% of_it", { tool_name: "terminal" }),
      { ...final(4, "deny", "user_rejected"), agentName: "reviewer" },
      final(5, "canceled", "context_canceled"),
    );
  });

  it.each([
    [{ verdict: ["deny"] }, ["/etc/hosts", "rm -rf /srv"]],
    [{ verdict: ["deny", "ask"] }, ["/etc/hosts", "git push --force", "rm -rf /srv"]],
    [{ by: ["final"] }, ["/etc/hosts", "/etc/hosts"]],
    [{ source: ["user_rejected"] }, ["/etc/hosts"]],
    [{ tool: ["terminal"] }, ["Echo 100% of_it"]],
    [{ agent: ["reviewer"] }, ["/etc/hosts"]],
    [{ session: ["s2"] }, ["git push --force"]],
    [{ session: ["s1"], verdict: ["deny"], by: ["gate"] }, ["rm -rf /srv"]],
    [{ text: "RM -RF" }, ["rm -rf /srv"]],
    [{ text: 'ask by "guard"' }, ["git push --force"]],
    [{ text: "0% of_i" }, ["Echo 100% of_it"]],
    [{ tool: ["term%"] }, []],
    [{ verdict: ["deny"], tool: ["terminal"] }, []],
  ])("%j finds %j", async (filters, expected) => {
    expect(commands((await list(one, { filters })).rows)).toEqual(expected);
  });

  it.each(["%", "_", "\\", "100_", "%hosts", "' OR 1=1 --", "\u0000", "\ud800", '"; DROP TABLE tool_decision; --'])(
    "take %j as text, not as a pattern or as SQL",
    async (text) => {
      const literal = ["rm -rf /srv", "git push --force", "Echo 100% of_it", "/etc/hosts", "/etc/hosts"];
      const expected = literal.filter((each) => each.includes(text));
      expect(commands((await list(one, { filters: { text } })).rows).sort()).toEqual(expected.sort());
      for (const field of ["verdict", "source", "tool", "agent", "session"])
        expect((await list(one, { filters: { [field]: [text] } })).rows).toEqual([]);
    },
  );

  it("find what was recorded with a NUL in it", async () => {
    const own = await workspace();
    await own.record(gate(1, "deny", "cat a\u0000b"));
    expect((await list(own, { filters: { text: "a\u0000b" } })).rows).toHaveLength(1);
  });

  it("refuse a range that ends before it starts, and instants PostgreSQL cannot write", () => {
    const refused = (from: Date, to: Date) => listDecisions.safeParse({ range: { from, to } }).success;
    expect(refused(at(1), at(0))).toBe(false);
    expect(refused(at(0), new Date(8.64e15))).toBe(false);
    expect(refused(new Date(Number.NaN), at(0))).toBe(false);
  });
});

describe("a search", () => {
  it("stops after its limit, says how far it came, and goes on from there to the end", async () => {
    const one = await workspace();
    await one.record(gate(0, "deny", "the one we look for"));
    // Straight into the table: what is tried is the search, not the recorder.
    await db.database.pool.query(
      `INSERT INTO tool_decision SELECT $1, $2::timestamptz + n * interval '1 millisecond', gen_random_uuid(), 'gate',
         $3, 'ci bot', 's1', 'pre_tool_use', 'shell', 'x', 'allow', 'pre_tool_use_hook_allow', '', 'noise ' || n
       FROM generate_series(1, 25000) AS n`,
      [one.workspaceId, NOON, one.agentId],
    );
    const filters = { text: "look for" };
    const first = await list(one, { filters });
    expect(first.rows).toEqual([]);
    expect(first.searched).toEqual({ rows: 10_000, until: at(15_001) });
    const middle = await list(one, { filters, cursor: first.nextCursor });
    expect(middle.searched).toEqual({ rows: 10_000, until: at(5_001) });
    const second = await list(one, { filters, cursor: middle.nextCursor });
    expect(commands(second.rows)).toEqual(["the one we look for"]);
    expect([second.nextCursor, second.searched]).toEqual([null, null]);
  });
});

describe("facets", () => {
  it("count every value over the range, and nobody else's", async () => {
    const [one, other] = [await workspace(), await workspace()];
    await one.record(gate(1, "deny", "a"), gate(2, "deny", "b", { session_id: "" }), final(3, "allow", "yolo"));
    await other.record(gate(1, "ask", "c"));
    const found = decisionFacets.parse(await service.facets(db.database, one.workspaceId, DAY));
    expect(found).toEqual({
      counted: 3,
      isWhole: true,
      verdict: [
        { value: "deny", count: 2 },
        { value: "allow", count: 1 },
      ],
      by: [
        { value: "gate", count: 2 },
        { value: "final", count: 1 },
      ],
      source: [
        { value: "pre_tool_use_hook_deny", count: 2 },
        { value: "yolo", count: 1 },
      ],
      tool: [
        { value: "shell", count: 2 },
        { value: "read_file", count: 1 },
      ],
      agent: [{ value: "ci bot", count: 3 }],
      session: [{ value: "s1", count: 2 }],
    });
    const empty = await service.facets(db.database, one.workspaceId, { from: at(-5), to: at(-1) });
    expect([empty.counted, empty.verdict]).toEqual([0, []]);
  });
});

describe("values longer than an index entry", () => {
  it("are recorded and found all the same", async () => {
    const one = await workspace();
    // Random, since PostgreSQL compresses what repeats.
    const long = Array.from({ length: 300 }, () => randomUUID()).join("");
    await one.record({ ...gate(1, "deny", "a", { tool_name: long }) }, gate(2, "deny", "b", { tool_name: `${long}x` }));
    expect(commands((await list(one, { filters: { text: "", tool: ["none"] } })).rows)).toEqual([]);
    expect((await list(one)).rows).toHaveLength(2);
  });
});

describe("calls that were denied and ran, and calls that were rewritten", () => {
  const ran = (ms: number, tool_use_id: string, session_id = "s1") => ({
    at: at(ms),
    event: "post_tool_use",
    input: { session_id, tool_name: "shell", tool_use_id, tool_response: "" },
  });

  it("are found by what became of them: a denial whose tool ran, not one that was obeyed, allowed or of another session", async () => {
    const one = await workspace();
    await one.record(
      gate(1, "deny", "ignored", { tool_use_id: "a" }),
      gate(2, "deny", "obeyed", { tool_use_id: "b" }),
      gate(3, "allow", "allowed", { tool_use_id: "c" }),
      gate(4, "deny", "other session", { tool_use_id: "d" }),
      ran(5, "a"),
      ran(6, "c"),
      ran(7, "d", "s2"),
    );
    const filters = { outcome: ["denied_but_ran"] };
    expect(commands((await list(one, { filters })).rows)).toEqual(["ignored"]);
    const asked = countDecisionsInput.parse({ range: DAY, filters });
    expect(await service.countDecisions(db.database, one.workspaceId, asked)).toEqual({ count: 1, isWhole: true });
    expect(commands((await list(one, { filters: { outcome: ["denied_but_ran"], verdict: ["allow"] } })).rows)).toEqual(
      [],
    );
  });

  it("stand in the list with what they became, and count as no opinion in the sums", async () => {
    const one = await workspace();
    const updated_input = { cmd: "rm -i /" };
    await one.record({ ...gate(1, "none", "rm -rf /"), answer: { hook_specific_output: { updated_input } } });
    const { rows } = await list(one);
    expect(rows.map(({ verdict, source, excerpt }) => [verdict, source, excerpt])).toEqual([
      ["rewrite", "pre_tool_use_hook_rewrite", "rm -rf /"],
    ]);
    const { rows: sums } = await db.database.pool.query(
      "SELECT sum(gates_without_opinion)::int AS n FROM rollup_minute WHERE workspace_id = $1",
      [one.workspaceId],
    );
    expect(sums).toEqual([{ n: 1 }]);
  });
});

describe("one decision", () => {
  const hook = {
    policy: "guard",
    revision: 3,
    path: "hooks.pre_tool_use[0].hooks[0]",
    name: "no recursive delete",
    type: "command",
    outcome: "refused",
    said: "deny",
    startedMs: 0,
    durationMs: 12.5,
    exitCode: 2,
    stdout: "",
    stderr: "rm -rf is not allowed here.",
  };

  it("holds its hooks, its rewrite and the other records of the same call", async () => {
    const one = await workspace();
    const call = { tool_use_id: "call_x" };
    const [id = ""] = await one.record({
      ...gate(10, "deny", "rm -rf /", call),
      hooks: [hook],
      answer: {
        hook_specific_output: {
          permission_decision: "deny",
          permission_decision_reason: "rm -rf is not allowed here.",
          updated_input: { cmd: "rm -i /" },
        },
      },
    });
    await one.record(final(12, "deny", "pre_tool_use_hook_deny", { ...call, tool_name: "shell" }));
    await one.record({
      at: at(14),
      event: "tool_response_transform",
      input: { session_id: "s1", ...call, tool_error: true },
      answer: {
        hook_specific_output: { hook_event_name: "tool_response_transform", updated_tool_response: "[REDACTED]" },
      },
    });
    await one.record(gate(16, "deny", "another call"));
    const found = decisionDetail.parse(await service.get(db.database, one.workspaceId, { occurredAt: at(10), id }));
    expect(found.toolInput).toEqual({ cmd: "rm -rf /" });
    expect(found.updatedInput).toEqual({ cmd: "rm -i /" });
    expect(found.answeredReason).toBe("rm -rf is not allowed here.");
    expect(found.hooks).toEqual([{ ...hook, policyId: null }]);
    expect(found.callRecords.map(({ event, verdict, decision }) => [event, verdict, decision?.source ?? null])).toEqual(
      [
        ["pre_tool_use", "deny", "pre_tool_use_hook_deny"],
        ["on_tool_approval_decision", "none", "pre_tool_use_hook_deny"],
        ["tool_response_transform", "none", null],
      ],
    );
    expect(found.callRecords.map(({ isResponseRewritten }) => isResponseRewritten)).toEqual([false, false, true]);
    expect([found.revision, found.revisionNow]).toEqual(["0123456789abcdef", "none"]);
  });

  it("sends the words of a block before those of a rule that only asks", async () => {
    const one = await workspace();
    const specific = { permission_decision: "ask", permission_decision_reason: "A person decides." };
    const answer = { decision: "block", reason: "Open a pull request.", hook_specific_output: specific };
    const [id = ""] = await one.record({ ...gate(1, "deny", "git push --force"), answer });
    const found = await service.get(db.database, one.workspaceId, { occurredAt: at(1), id });
    expect(found.answeredReason).toBe("Open a pull request.");
    expect(found.sentReasons).toEqual([
      { field: "reason", text: "Open a pull request." },
      { field: "permission_decision_reason", text: "A person decides." },
    ]);
  });

  it("is not found from another workspace, nor under another instant", async () => {
    const [one, other] = [await workspace(), await workspace()];
    const [id = ""] = await one.record(gate(1, "deny", "a"));
    const key = { occurredAt: at(1), id };
    await expect(service.get(db.database, other.workspaceId, key)).rejects.toThrow(AppError);
    await expect(service.get(db.database, one.workspaceId, { ...key, occurredAt: at(2) })).rejects.toThrow(AppError);
    await expect(service.get(db.database, one.workspaceId, key)).resolves.toMatchObject({ excerpt: "a" });
  });

  it("shows what it can of an input that is too long or of no known shape", async () => {
    const one = await workspace();
    const [long = "", odd = ""] = await one.record(
      gate(1, "deny", "x".repeat(200_000)),
      gate(2, "allow", "a", { tool_input: "not an object" }),
    );
    const first = await service.get(db.database, one.workspaceId, { occurredAt: at(1), id: long });
    expect([first.input.isCut, first.input.text.length, first.input.bytes > 200_000]).toEqual([true, 131_072, true]);
    const second = await service.get(db.database, one.workspaceId, { occurredAt: at(2), id: odd });
    expect([second.toolInput, second.input.isCut]).toEqual([null, false]);
  });
});
