/** A stored block that cannot be read denies: at the engine, and at the gate of a running server. */

import { compilePlan, contractOf, createExecutor, eventNames, PROFILES, systemClock } from "@quarterdeck/hooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROKEN_BLOCKS, type BrokenBlock } from "../../../e2e/fixtures/broken-blocks.ts";
import { newWorkspace } from "../../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import * as agents from "../../agents/index.ts";
import { examine, type Patient } from "../../doctor/index.ts";
import { createLog } from "../../platform/log.ts";
import { NO_CASES } from "../publishing/case-gate.ts";
import { publishByName } from "../publishing/publish.ts";
import { readStoredPolicy } from "../text/stored-policy.ts";
import * as views from "../views.ts";

const SOURCE = `
profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - { name: no shell, type: command, command: "exit 2" }
`;

let db: TestDatabase;
let server: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url, { log });
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

/** Lines that the server logs as errors. */
const logged: { readonly [key: string]: unknown }[] = [];
const log = createLog("error", { write: (line) => logged.push(JSON.parse(line)) });

/** An agent whose one policy holds the broken block. */
async function governed({ hooks, profile = "2026-08" }: BrokenBlock) {
  const { bus } = server.running.app;
  const admin = { ...server.admin, workspaceId: await newWorkspace(db.database, "test") };
  const { workspaceId } = admin;
  const { key, agentId } = await agents.create(server.database, bus, admin, { name: "tester" });
  await publishByName(server.database, bus, admin, { name: "guard", source: SOURCE, note: "" }, NO_CASES);
  await db.owner.query("UPDATE policy_revision SET hooks = $2::jsonb, profile = $3 WHERE workspace_id = $1", [
    workspaceId,
    JSON.stringify(hooks),
    profile,
  ]);
  const ask = async (event: string, input: object, query = "") => {
    const response = await fetch(`${server.url}/api/v1/hooks/${event}${query}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: "s", ...input }),
    });
    const text = await response.text();
    return { status: response.status, text };
  };
  return { ask, workspaceId, agentId };
}

const patientOf = (workspaceId: string): Patient => ({
  db: server.database,
  workspaceId,
  dataDir: "/tmp",
  host: "127.0.0.1",
  url: server.url,
  confinement: { sandbox: "bubblewrap", reasons: [], features: [], network: "own" },
  given: {},
  openCircuits: 0,
  record: server.running.app.record,
  mailer: server.running.app.mailer,
});

interface Answered {
  readonly status: number;
  readonly text: string;
}
const isDenied = ({ status, text }: Answered) =>
  status === 200 && /"permission_decision":"deny"|"decision":"block"|"continue":false/.test(text);
const CALL = { tool_name: "shell", tool_input: { cmd: "ls" } };

describe("at the gate", () => {
  it("no broken block lets a call pass, each names the policy, and observers are not disturbed", async () => {
    const passed: string[] = [];
    const nameless: string[] = [];
    const disturbed: string[] = [];
    const unconcerned: string[] = [];
    for (const one of BROKEN_BLOCKS) {
      const { ask } = await governed(one);
      // The lane of a rule with a broken hook is known.
      const lanes = one.fault.startsWith("a hook") ? ["default"] : ["default", "preempt_yolo"];
      for (const lane of lanes) {
        const said = await ask("pre_tool_use", CALL, `?lane=${lane}`);
        if (!isDenied(said)) passed.push(`${one.fault}, ${lane}`);
        if (!said.text.includes('policy \\"guard\\" cannot be read at')) nameless.push(one.fault);
      }
      const observed = await ask("turn_start", {});
      if (observed.status !== 200 || observed.text !== "{}") disturbed.push(`${one.fault}: ${observed.text}`);
      if (one.unconcerned === undefined) continue;
      const other = await ask("pre_tool_use", { ...CALL, tool_name: one.unconcerned });
      if (isDenied(other)) unconcerned.push(one.fault);
    }
    expect({ passed, disturbed, unconcerned }).toEqual({ passed: [], disturbed: [], unconcerned: [] });
    expect(nameless).toEqual([]);
    expect(BROKEN_BLOCKS.length).toBeGreaterThanOrEqual(40);
  });

  it("a block without a known event denies at every event that can block, also at those of a newer profile", async () => {
    const { ask } = await governed({ fault: "", hooks: { pre_tool_uses: [] }, profile: "2026-07" });
    const events = eventNames("2026-08");
    const denied: string[] = [];
    for (const event of events) if (isDenied(await ask(event, CALL))) denied.push(event);
    expect(denied).toEqual(events.filter((event) => contractOf(event, "2026-08").canBlock));
  });

  it("no on_error waves an unreadable rule through, and it is on record", async () => {
    const entry = { matcher: "[", hooks: [{ type: "command", command: "true", on_error: "ignore" }] };
    const { ask, workspaceId } = await governed({ fault: "", hooks: { permission_request: [entry] } });
    expect(isDenied(await ask("permission_request", CALL))).toBe(true);
    expect(isDenied(await ask("pre_tool_use", CALL))).toBe(false);
    const { rows } = await db.owner.query("SELECT verdict, hooks FROM dispatch WHERE workspace_id = $1 ORDER BY id", [
      workspaceId,
    ]);
    expect(logged.filter((line) => line.path === "hooks.permission_request[0]")).toMatchObject([
      { policy: "guard", revision: 1, message: expect.stringContaining("invalid matcher") },
    ]);
    expect(rows[0]).toMatchObject({ verdict: "deny" });
    expect(JSON.parse(rows[0].hooks)).toMatchObject([{ said: "failed", policy: "guard", type: "unreadable" }]);
  });
});

describe("people", () => {
  it("read the policy, its gates and the way out on Health, in the doctor and on the policy's page", async () => {
    const { workspaceId } = await governed({ fault: "", hooks: { pre_tool_use: [{ matcher: "[", hooks: [] }] } });
    const { findings } = await examine(patientOf(workspaceId));
    const finding = findings.find(({ id }) => id === "unreadable_policies");
    expect(finding).toMatchObject({ state: "failure", todo: expect.stringContaining("publish it") });
    expect(finding?.says).toMatch(
      /^Policies in force cannot be read, .* guard revision 1 \(hooks\.pre_tool_use\[0\]: invalid matcher: .*\) denies pre_tool_use\.$/,
    );
    const [policy] = await views.list(server.database, workspaceId);
    expect(await views.get(server.database, workspaceId, policy?.id ?? "")).toMatchObject({
      unreadable: [{ revision: 1, gates: ["pre_tool_use"], problems: [{ path: "hooks.pre_tool_use[0]" }] }],
    });
  });

  it("have nothing to read where every policy is whole", async () => {
    const { findings } = await examine(patientOf(server.admin.workspaceId));
    expect(findings.find(({ id }) => id === "unreadable_policies")).toMatchObject({ state: "ok" });
  });
});

describe("the engine", () => {
  it.each(PROFILES)("compiles no broken block of profile %s to a plan that lets the call pass", async (profile) => {
    const passed: string[] = [];
    for (const { fault, hooks, profile: stored = profile } of BROKEN_BLOCKS) {
      const read = readStoredPolicy({ profile: stored === "2026-08" ? profile : stored, hooks });
      const { plan } = compilePlan({
        sources: [{ origin: { policy: "guard" }, hooks: read.hooks }],
        profile: read.profile,
        kinds: [],
      });
      const executor = createExecutor({ plan, clock: systemClock, workingDir: "/" });
      const { result } = await executor.dispatch({ event: "pre_tool_use", input: { tool_name: "shell" } });
      if (result.allowed || read.problems.length === 0) passed.push(fault);
    }
    expect(passed).toEqual([]);
  });

  it("reads what it has read as it is", () => {
    for (const { fault, hooks, profile = "2026-08" } of BROKEN_BLOCKS) {
      const once = readStoredPolicy({ profile, hooks });
      expect(readStoredPolicy({ profile: once.profile, hooks: once.hooks }).hooks, fault).toEqual(once.hooks);
    }
  });
});

describe("an observed policy that cannot be read", () => {
  it("denies nothing, and what it would have done is recorded", async () => {
    const { ask, workspaceId } = await governed({ fault: "", hooks: { pre_tool_use: [{ matcher: 5 }] } });
    await db.owner.query(
      "UPDATE assignment SET mode = 'observe', observe_since = now(), observe_until = now() + interval '1 day', observe_by = 'a' WHERE workspace_id = $1",
      [workspaceId],
    );
    expect((await ask("pre_tool_use", CALL)).text).toBe("{}");
    const seen = async () =>
      (await db.owner.query("SELECT verdict, reason FROM observation WHERE workspace_id = $1", [workspaceId])).rows;
    // The unreadable rule may be of either lane, and a question without a lane asks both.
    const denied = { verdict: "deny", reason: expect.stringContaining("cannot be read") };
    await expect.poll(seen, { timeout: 10_000 }).toMatchObject([denied, denied]);
  });
});
