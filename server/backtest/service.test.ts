import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import type { AppError } from "../errors/app-error.ts";
import * as policies from "../policies/index.ts";
import type { ImpactProgress, ImpactView } from "./schema.ts";
import { measure, measurePack } from "./service.ts";

const gate = (command: string, more = "", matcher = "shell") => `hooks:
  pre_tool_use:
    - matcher: ${matcher}
      hooks:
        - name: gate
          type: command
          command: ${command}
${more}`;
const DENY_FORCE = '"grep -q force && { echo forced >&2; exit 2; }; exit 0"';
const DENY_RM = "\"grep -q 'rm -rf' && { echo no deletes >&2; exit 2; }; exit 0\"";
const EARLY = (matcher: string) =>
  gate(DENY_FORCE, "", matcher).replace("      hooks:", "      preempt_yolo: true\n      hooks:");
const JUDGE = `        - {name: judge, type: model, model: a/b, schema: pre_tool_use_decision, prompt: is this right}
`;

let db: TestDatabase;
let server: TestGateway;
let policyId: string;
let key: string;
async function open() {
  db = await testDatabase();
  server = await testGateway(db.url);
  key = await server.agent("one");
  await server.publish(gate(DENY_FORCE), "guard");
  policyId = (await policies.list(server.database, server.admin.workspaceId))[0]?.id ?? "";
  for (const cmd of ["ls", "git push --force", "rm -rf build", "make force", "cat x"]) await dispatch("shell", { cmd });
  for (const path of ["a", "b"]) await dispatch("edit_file", { path });
}
async function close() {
  await server?.stop();
  await db?.drop();
}

let calls = 0;
const fresh = () => {
  calls += 1;
  return `call ${calls}`;
};

async function dispatch(tool: string, args: object, lane = "default") {
  const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use?lane=${lane}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", tool_name: tool, tool_use_id: fresh(), tool_input: args }),
  });
  expect(response.status).toBe(200);
}

async function draft(source: string, of = policyId): Promise<number> {
  const { latestRevision: baseRevision, draftVersion: baseVersion } = await policies.get(
    server.database,
    server.admin.workspaceId,
    of,
  );
  const input = { policyId: of, source, baseVersion, baseRevision };
  return (await policies.saveDraft(server.database, server.running.app.bus, server.admin, input)).version;
}
async function resultOf(of: AsyncGenerator<ImpactProgress>): Promise<ImpactView> {
  let last: ImpactProgress | undefined;
  for await (const progress of of) last = progress;
  if (last?.kind !== "measured") throw new Error("it ended without a result");
  return last.view;
}
const look = (
  version: number,
  options: { sandbox?: "none"; budgetMs?: number; signal?: AbortSignal; of?: string } = {},
) => {
  const app = { ...server.running.app, db: server.database };
  const world = { ...app, confinement: { sandbox: options.sandbox ?? "bubblewrap" } } as const;
  const asked = { policyId: options.of ?? policyId, of: { kind: "draft", version } } as const;
  return measure(world, server.admin, asked, options.signal ?? new AbortController().signal, options.budgetMs);
};
const packOf = (packId: string) => {
  const world = { ...server.running.app, db: server.database, confinement: { sandbox: "bubblewrap" } } as const;
  return measurePack(world, server.admin, { packId }, new AbortController().signal);
};
const impactOf = async (source: string, options: Parameters<typeof look>[1] = {}) =>
  resultOf(look(await draft(source, options.of), options));
const counts = ({ changes }: ImpactView) => changes.map(({ from, to, count }) => `${from} to ${to}: ${count}`);

describe("the impact of a draft", () => {
  beforeAll(open);
  afterAll(close);

  it("says what it denies that was let through and lets through that was denied, call by call", async () => {
    const view = await impactOf(gate(DENY_RM));
    expect(view).toMatchObject({ sampled: 7, unchanged: 4, unknown: [], notReached: 0 });
    // Changes that let more pass come first.
    expect(counts(view)).toEqual(["deny to none: 2", "none to deny: 1"]);
    expect(view.changes[1]?.events[0]).toMatchObject({ tool: "shell", excerpt: "rm -rf build" });
    expect(view.changes[0]?.events[0]).toMatchObject({ excerpt: "make force", isDecision: true });
    expect(view.changes[1]?.events[0]?.reason).toContain("no deletes");
    // Five calls of the shell, each against both texts; what neither reads is not run.
    expect(view.commandsRun).toBe(10);
  });

  it("runs nothing where the same hooks would say the same", async () => {
    const view = await impactOf(`# only a comment\n${gate(DENY_FORCE)}`);
    expect(view).toMatchObject({ sampled: 7, unchanged: 7, changes: [], commandsRun: 0 });
  });

  it("of a wider matcher counts the tools it reaches", async () => {
    const view = await impactOf(gate("exit 2", "", "edit_file|shell"));
    expect(counts(view)).toEqual(["none to deny: 5"]);
  });

  it("asks no judge: what it would have said is unknown, unless something else denies", async () => {
    const view = await impactOf(gate(DENY_FORCE, JUDGE));
    expect(view.changes).toEqual([]);
    expect(view.unknown).toEqual([{ why: "a judge would have to be asked", count: 3 }]);
    expect(view.unchanged).toBe(4);
  });

  it("runs no hook that would use the network, nor one beside the agent", async () => {
    const network = await impactOf(gate("exit 2", "          network: true\n"));
    expect(network.unknown).toEqual([{ why: "a hook would have used the network", count: 5 }]);
    const beside = await impactOf(gate("exit 2", "          run_on: agent\n"));
    expect(beside.unknown[0]?.why).toContain("beside the agent");
  });

  it("runs no command without a sandbox", async () => {
    const view = await impactOf(gate("exit 2"), { sandbox: "none" });
    expect(view).toMatchObject({
      commandsRun: 0,
      unknown: [{ why: "there is no sandbox here to run commands in", count: 5 }],
    });
  });

  it("says how much was not looked at when the time is over", async () => {
    const view = await impactOf(gate("sleep 30"), { budgetMs: 300 });
    expect(view.notReached).toBe(5);
    expect(view.unchanged).toBe(2);
  });

  it("trips no circuit, however its hooks fail", async () => {
    await impactOf(gate("exit 2", "          working_dir: /nowhere/at/all\n"));
    expect(server.running.app.breakers.open(server.admin.workspaceId)).toEqual([]);
  });

  it("ends its hooks and tells nothing when nobody waits any more", async () => {
    const leaving = new AbortController();
    const asked = look(await draft(gate("sleep 30")), { signal: leaving.signal });
    expect((await asked.next()).value).toEqual({ kind: "progress", done: 0, of: 7 });
    leaving.abort();
    const rest: ImpactProgress[] = [];
    for await (const progress of asked) rest.push(progress);
    expect(rest.filter(({ kind }) => kind === "measured")).toEqual([]);
  });

  it("is told of a draft that is still this one and can be read", async () => {
    const codeOf = (work: Promise<unknown>) =>
      work.then(
        () => "told",
        (error: AppError) => error.code,
      );
    const version = await draft(gate(DENY_RM));
    expect(await codeOf(resultOf(look(version + 1)))).toBe("policy_moved_on");
    expect(await codeOf(impactOf("hooks: ["))).toBe("policy_invalid");
  });
});

describe("the impact of a draft on calls of its own", () => {
  beforeEach(open);
  afterEach(close);

  it("of a pack and a draft counts no call that a rule of the early lane would never see, and replays the others", async () => {
    const { bus } = server.running.app;
    const { policyId: early } = await policies.create(server.database, bus, server.admin, { name: "early" });
    // No agent asked through that lane.
    const unseen = await impactOf(EARLY("shell"), { of: early });
    expect(unseen).toMatchObject({ sampled: 7, reached: 0, neverEarly: 5, unchanged: 7, changes: [], commandsRun: 0 });
    expect(unseen.unreached).toEqual([{ rule: "gate", why: "no early check of pre_tool_use was recorded" }]);
    const pack = await resultOf(packOf("git-safety"));
    expect(pack).toMatchObject({ sampled: 7, reached: 0, neverEarly: 7, changes: [] });

    await dispatch("shell", { cmd: "git status" }, "preempt_yolo");
    const view = await impactOf(EARLY("shell"), { of: early });
    expect(counts(view)).toEqual(["none to deny: 2"]);
    // The other policy in force had denied both.
    expect(view.changes[0]).toMatchObject({ alreadyDenied: 2, events: [{ count: 1 }, { count: 1, alreadyDenied: 1 }] });
    expect(view.changes[0]?.events.map(({ excerpt }) => excerpt)).toEqual(["make force", "git push --force"]);
    expect(view).toMatchObject({ sampled: 8, reached: 6, replayed: 5, neverEarly: 0, unreachedCount: 0 });
    const unreached = await impactOf(EARLY("browser"), { of: early });
    expect(unreached).toMatchObject({ sampled: 8, reached: 0, unchanged: 8, commandsRun: 0 });
    expect(unreached.unreached).toEqual([{ rule: "gate", why: "no recorded call used a tool that browser matches" }]);
    expect(await resultOf(packOf("git-safety"))).toMatchObject({ sampled: 8, reached: 8, neverEarly: 0 });
    for (let again = 0; again < 2; again += 1) await dispatch("shell", { cmd: "git push --force" });
    const [change] = (await impactOf(EARLY("shell"), { of: early })).changes;
    expect(change?.events.find(({ excerpt }) => excerpt === "git push --force")).toMatchObject({
      ...{ count: 3, alreadyDenied: 3 },
    });
  });

  it("replays the early lane for a client whose one hook stands for every lane", async () => {
    const { bus } = server.running.app;
    const { policyId: early } = await policies.create(server.database, bus, server.admin, { name: "early client" });
    const clientKey = await server.agent("client");
    const response = await fetch(`${server.url}/api/v1/hooks/claude-code/PreToolUse`, {
      method: "POST",
      headers: { authorization: `Bearer ${clientKey}`, "content-type": "application/json" },
      body: JSON.stringify({
        ...{ session_id: "client", hook_event_name: "PreToolUse", cwd: "/tmp" },
        ...{ tool_name: "Bash", tool_use_id: fresh(), tool_input: { command: "git push --force" } },
      }),
    });
    expect(response.status).toBe(200);
    const { rows } = await server.database.pool.query<{ id: string }>("SELECT id FROM agent WHERE name = 'client'");
    const agentIds = rows.map(({ id }) => id);
    await policies.assign(server.database, bus, server.admin, {
      ...{ policyId: early, scope: "chosen", agentIds, groupIds: [] },
    });
    const view = await impactOf(EARLY('"*"'), { of: early });
    expect(view).toMatchObject({ sampled: 1, reached: 1, replayed: 1, neverEarly: 0 });
  });

  it("counts a call once, however many gates it passed and records it has", async () => {
    const call = async (id: string, cmd: string, path: string) => {
      const response = await fetch(`${server.url}/api/v1/hooks/${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ session_id: "lanes", tool_name: "shell", tool_use_id: id, tool_input: { cmd } }),
      });
      expect(response.status).toBe(200);
    };
    for (const lane of ["preempt_yolo", "default"]) {
      await call("twice", "git push --force origin main", `pre_tool_use?lane=${lane}`);
      await call("calm", "git status", `pre_tool_use?lane=${lane}`);
    }
    await call("calm", "git status", "post_tool_use");
    const { sampled, calls } = await resultOf(packOf("git-safety"));
    // Seven calls of one record each, and two calls of two.
    expect(sampled).toBe(11);
    expect(calls).toMatchObject({ tools: 9, others: 0, reached: 9, unknown: 0 });
    // The one of before and the one of now.
    expect(calls.denied).toBe(2);
  });

  it("of a policy that binds other agents looks at theirs alone", async () => {
    const { bus } = server.running.app;
    const { policyId: other } = await policies.create(server.database, bus, server.admin, { name: "other" });
    expect((await impactOf(gate("exit 2"), { of: other })).sampled).toBe(7);
    await server.agent("two");
    const { rows } = await server.database.pool.query<{ id: string }>("SELECT id FROM agent WHERE name = 'two'");
    const agentIds = rows.map(({ id }) => id);
    await policies.assign(server.database, bus, server.admin, {
      policyId: other,
      scope: "chosen",
      agentIds,
      groupIds: [],
    });
    expect((await impactOf(gate("exit 2"), { of: other })).sampled).toBe(0);
  });
});
