/** The bench as a person uses it: over HTTP-less calls, with real hooks in the real sandbox and a real database. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { AppError } from "../errors/app-error.ts";
import { inWorkspace } from "../platform/scope.ts";
import { create, get, list, permitPublication, readPolicy } from "../policies/index.ts";
import { deleteCase, duplicateCase, exportCases, importCases, listCases, saveCase } from "./cases.ts";
import { listRecorded, recordedInput } from "./recorded-dispatches.ts";
import type { ListRecorded, PlaygroundHook, PlaygroundReport, PlaygroundRun, PolicyCase } from "./schema.ts";
import { playgroundRun } from "./schema.ts";

let db: TestDatabase;
let server: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const GUARD = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - name: no deletes
          type: command
          timeout: 10
          command: |
            if grep -q 'rm -rf'; then echo "No recursive deletes." >&2; exit 2; fi
`;
const CALL = JSON.stringify({ tool_name: "shell", tool_input: { cmd: "rm -rf build" } });

function run(source: string, more: Partial<PlaygroundRun> = {}, signal?: AbortSignal): Promise<PlaygroundReport> {
  const asked = playgroundRun.parse({ subject: { kind: "text", source }, event: "pre_tool_use", input: CALL, ...more });
  return inWorkspace(server.admin.workspaceId, () => server.running.app.bench.run(server.admin, asked, signal));
}

async function refusal(promise: Promise<unknown>): Promise<AppError> {
  const thrown = await promise.then(() => null).catch((error: unknown) => error);
  if (!(thrown instanceof AppError)) throw new Error(`not refused: ${String(thrown)}`);
  return thrown;
}

const textAt = (report: PlaygroundReport, at: number | null | undefined) =>
  at === null || at === undefined ? null : report.texts[at]?.text;
const ran = (report: PlaygroundReport) => report.hooks.flatMap((hook) => (hook.ran ? [hook.ran] : []));
const hooksOf = (report: PlaygroundReport) => report.hooks.map(({ name, choice }: PlaygroundHook) => [name, choice]);

describe("a run", () => {
  it("shows what each hook got, printed and meant", async () => {
    const report = await run(GUARD);
    const [hook] = ran(report);
    expect(report.verdict).toBe("deny");
    expect(report.says).toContain("No recursive deletes.");
    expect(hook).toMatchObject({ exitCode: 2, said: "block", blocked: true, isUnasked: false });
    expect(textAt(report, hook?.stderr)).toBe("No recursive deletes.\n");
    expect(JSON.parse(textAt(report, hook?.stdin) ?? "")).toMatchObject({
      tool_name: "shell",
      hook_event_name: "pre_tool_use",
    });
    expect(JSON.parse(report.answer.text)).toMatchObject({ decision: "block" });
    expect(hook?.step).toMatchObject({ allowed: false, message: "No recursive deletes." });
  });

  it("says of every hook why it did not run", async () => {
    const source = `hooks:
  pre_tool_use:
    - matcher: shell
      hooks: [{name: one, type: command, command: "true"}]
    - matcher: read_file
      hooks: [{name: other tool, type: command, command: "true"}]
    - hooks: [{name: one, type: command, command: "true"}]
    - preempt_yolo: true
      hooks: [{name: first lane, type: command, command: "true"}]
    - hooks: [{name: at the agent, type: command, command: "true", run_on: agent}]
`;
    const report = await run(source);
    expect(hooksOf(report)).toEqual([
      ["one", "ran"],
      ["other tool", "not_matched"],
      ["one", "duplicate"],
      ["at the agent", "on_agent"],
      ["first lane", "other_lane"],
    ]);
    expect(report.hooks.filter(({ ran, why }) => ran === null && why === "")).toEqual([]);
    expect(report.missing.map(({ name }) => name)).toEqual(["at the agent"]);
    expect(report.verdict).toBe("unknown");
    const told = await run(source, { runAgentHooks: true });
    expect(hooksOf(told).find(([name]) => name === "at the agent")).toEqual(["at the agent", "ran"]);
    expect(told.verdict).toBe("none");
  });

  it("shows in a chain what the hooks before left", async () => {
    const rewrite = (value: string) =>
      `echo '{"hook_specific_output":{"updated_input":{"cmd":"${value}"}}}'`.replaceAll('"', '\\"');
    const report = await run(
      `profile: "2026-08"
hooks:
  tool_input_transform:
    - hooks:
        - {name: first, type: command, command: "${rewrite("ls")}"}
        - {name: second, type: command, command: "${rewrite("pwd")}"}
`,
      { event: "tool_input_transform" },
    );
    const [first, second] = ran(report);
    expect(JSON.parse(textAt(report, first?.stdin) ?? "").tool_input.cmd).toBe("rm -rf build");
    expect(JSON.parse(textAt(report, second?.stdin) ?? "").tool_input.cmd).toBe("ls");
    expect(JSON.parse(textAt(report, first?.step?.rewritten) ?? "").cmd).toBe("ls");
    expect(JSON.parse(textAt(report, report.result.rewritten) ?? "").cmd).toBe("pwd");
  });

  it("never takes a judge that was not asked for permission", async () => {
    const source = (event: string) => `hooks:
  ${event}:
    - hooks: [{name: judge, type: model, model: openai/gpt-4o-mini, prompt: "Is {{ .ToolName }} right?", on_error: ignore}]
`;
    for (const event of ["pre_tool_use", "post_tool_use"] as const) {
      const report = await run(source(event), { event });
      expect(report.verdict).toBe("unknown");
      expect(ran(report)[0]).toMatchObject({ isUnasked: true, judge: { prompt: "Is shell right?", reply: null } });
      expect(report.missing.map(({ name }) => name)).toEqual(["judge"]);
    }
  });

  it("is a denial all the same where a hook that answered denies", async () => {
    const judge = "        - {name: judge, type: model, model: openai/gpt-4o-mini, prompt: hm}\n";
    expect((await run(GUARD + judge)).verdict).toBe("deny");
  });

  it("of a hook that hangs ends by the hook's own time", async () => {
    const report = await run(GUARD.replace("timeout: 10", "timeout: 1").replace(/if grep.*/, "sleep 60"));
    expect(ran(report)[0]?.error).toContain("timed out after 1s");
    expect(report.verdict).toBe("deny");
  });

  it("ends when whoever asked is gone", async () => {
    const gone = new AbortController();
    const waiting = run(GUARD.replace(/if grep.*/, "sleep 60"), {}, gone.signal);
    setImmediate(() => gone.abort(new Error("gone")));
    expect(ran(await waiting)[0]?.error).toContain("cancelled");
  });

  it("of a hook that prints without end is a failure, with what it printed cut", async () => {
    const report = await run(GUARD.replace(/if grep.*/, "yes | head -c 50000000"));
    const [hook] = ran(report);
    expect(hook?.outcome).toBe("failed");
    expect(textAt(report, hook?.stdout)?.length ?? 0).toBeLessThanOrEqual(256 * 1024);
    expect(report.verdict).toBe("deny");
  });

  it("beside an agent's other policies puts the text in its own place", async () => {
    const key = await server.agent("neighbour");
    expect(key).toContain("qd_");
    await server.publish(GUARD.replace("no deletes", "published"), "tried");
    await server.publish(GUARD.replace("no deletes", "other policy"), "beside");
    const policy = (await list(db.database, server.admin.workspaceId)).find(({ name }) => name === "tried");
    const agent = await db.database.prisma.agent.findFirstOrThrow({ where: { name: "neighbour" } });
    const more = { policyId: policy?.id, besideAgentId: agent.id };
    const report = await run(GUARD.replace("no deletes", "draft"), more);
    expect(report.hooks.map(({ name, policy, isSubject }) => [name, policy, isSubject])).toEqual([
      ["draft", "tried", true],
      ["other policy", "beside", false],
    ]);
    const live = await run("", { ...more, subject: { kind: "live" } });
    expect(live.hooks.map(({ name }) => name)).toEqual(["published", "other policy"]);
    const first = await run("", { policyId: policy?.id, subject: { kind: "revision", number: 1 } });
    expect(first.hooks.map(({ name }) => name)).toEqual(["published"]);
  });
});

describe("a recorded input", () => {
  async function dispatched(agent: string, cmd: string) {
    const key = await server.agent(agent);
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const body = JSON.stringify({ session_id: agent, tool_name: "shell", tool_input: { cmd } });
    await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, { method: "POST", headers, body });
  }
  const listed = (more: Partial<ListRecorded> = {}) =>
    listRecorded(db.database, server.admin.workspaceId, { event: "pre_tool_use", tool: "", text: "", ...more });

  it("is found by its words, tool and agent, newest first, and comes masked with what governs its agent", async () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    await server.publish('hooks: {stop: [{type: command, command: "true"}]}', "governs stops");
    await dispatched("first recorded", "make recorded-one");
    await dispatched("second recorded", `curl -H 'token: ${secret}' recorded-two`);
    const both = await listed({ text: "RECORDED-" });
    expect(both.map(({ agentName }) => agentName)).toEqual(["second recorded", "first recorded"]);
    expect(await listed({ text: "recorded-", tool: "fetch" })).toEqual([]);
    expect(await listed({ text: "recorded-", event: "stop" })).toEqual([]);
    const [newest] = both;
    expect((await listed({ agentId: newest?.agentId })).map(({ id }) => id)).toEqual([newest?.id]);
    if (!newest) throw new Error("nothing was recorded");
    const found = await recordedInput(db.database, server.admin.workspaceId, newest);
    expect(found.input).toContain("recorded-two");
    expect(found.input).not.toContain(secret);
    expect(found.governedBy.map(({ name }) => name)).toContain("governs stops");
    const stranger = "00000000-0000-7000-8000-000000000001";
    expect((await refusal(recordedInput(db.database, stranger, newest))).code).toBe("dispatch_not_found");
  });
});

describe("what cannot be run is refused in words", () => {
  it.each([
    ["no JSON", "{nope", "not_json", "JSON"],
    ["a list", "[]", "invalid_input", "JSON object"],
    ["a field of another type", '{"tool_name": 7}', "invalid_input", "tool_name"],
    ["endless nesting", `{"tool_input":${'{"a":'.repeat(80)}1${"}".repeat(80)}}`, "too_deep", "64"],
  ])("%s as input", async (_what, input, code, says) => {
    const failure = await refusal(run(GUARD, { input }));
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(says);
  });

  it("every field of a wrong type is named by its pointer", async () => {
    const failure = await refusal(run(GUARD, { input: '{"tool_name":7,"usage":{"input_tokens":"x"}}' }));
    expect(failure.options.problems?.map(({ path }) => path)).toEqual(["/tool_name", "/usage/input_tokens"]);
  });

  it("an input over 4 MiB", () => {
    const parsed = playgroundRun.safeParse({
      subject: { kind: "text", source: GUARD },
      event: "stop",
      input: `"${"ü".repeat(2 * 1024 * 1024)}"`,
    });
    expect(parsed.error?.issues[0]?.message).toContain("4 MiB");
  });

  it("a text with problems, an event of another profile, a lane that is none", async () => {
    expect((await refusal(run("hooks: 7"))).code).toBe("policy_invalid");
    expect((await refusal(run(GUARD, { event: "tool_guard" }))).message).toContain("2026-07 has no event");
    expect((await refusal(run(GUARD, { event: "stop", lane: "preempt_yolo" }))).message).toContain("one lane");
  });

  it("the fifth run at once", async () => {
    const gone = new AbortController();
    const slow = GUARD.replace(/if grep.*/, "sleep 60");
    const waiting = Array.from({ length: 4 }, () => run(slow, {}, gone.signal));
    expect((await refusal(run(GUARD))).code).toBe("busy");
    gone.abort(new Error("enough"));
    await Promise.all(waiting);
    expect((await run(GUARD)).verdict).toBe("deny");
  });
});

describe("cases", () => {
  const denied: PolicyCase = {
    name: "deletes are denied",
    event: "pre_tool_use",
    lane: "default",
    input: CALL,
    expect: { verdict: "deny", message: "recursive", hooks: { "no deletes": "block" } },
    judgeReplies: [],
    keepsSecrets: false,
    runsAgentHooks: false,
  };
  let count = 0;
  async function policyWith(...kept: PolicyCase[]): Promise<string> {
    count += 1;
    const { policyId } = await create(db.database, server.running.app.bus, server.admin, {
      name: `held ${count}`,
      source: GUARD,
    });
    for (const one of kept) await saveCase(db.database, server.admin, { ...one, policyId });
    return policyId;
  }
  const gate = () => server.running.app.bench.gate;
  function permitted(source: string, actor = server.admin) {
    const { hooks, profile } = readPolicy(source);
    return permitPublication(actor, { name: "held", source, hooks: hooks ?? {}, profile });
  }
  const failing = async (policyId: string, source = GUARD) =>
    inWorkspace(server.admin.workspaceId, () => gate().failing(policyId, permitted(source)));

  it("that hold say nothing, and those that do not say what came instead", async () => {
    const policyId = await policyWith(denied);
    expect(await failing(policyId)).toEqual([]);
    const [broken] = await failing(policyId, GUARD.replace("exit 2", "exit 0"));
    expect(broken).toMatchObject({ name: "deletes are denied" });
    expect(broken?.says).toContain("expected deny, got none");
    const [stored] = await listCases(db.database, server.admin.workspaceId, policyId);
    expect(stored?.last).toMatchObject({ passed: false });
  });

  it("answer for judges with what they hold, and ask nobody", async () => {
    const source = `hooks:
  pre_tool_use:
    - hooks: [{name: judge, type: model, model: openai/gpt-4o-mini, prompt: hm, schema: pre_tool_use_decision}]
`;
    const reply = JSON.stringify({ decision: "deny", reason: "too risky" });
    const told = { ...denied, expect: { verdict: "deny" as const, message: "too risky" } };
    const policyId = await policyWith(
      { ...told, name: "told", judgeReplies: [{ hook: "judge", reply }] },
      { ...told, name: "fails", expect: { verdict: "deny" }, judgeReplies: [{ hook: "judge", fails: "timeout" }] },
      { ...told, name: "nothing stored" },
    );
    const broken = await failing(policyId, source);
    expect(broken.map(({ name }) => name)).toEqual(["nothing stored"]);
    expect(broken[0]?.says).toContain("no stored reply");
  });

  it("go to a file and come back the same", async () => {
    const rich: PolicyCase = {
      ...denied,
      name: "rich",
      lane: "preempt_yolo",
      expect: { allowed: true, rewritten: null, context: "x" },
      judgeReplies: [{ hook: "a", reply: "yes\n" }],
      runsAgentHooks: true,
    };
    const policyId = await policyWith(denied, rich);
    const { workspaceId } = server.admin;
    const file = await exportCases(db.database, workspaceId, policyId);
    const other = await policyWith(denied);
    expect(await importCases(db.database, server.admin, { policyId: other, file })).toEqual({
      added: 1,
      replaced: 1,
    });
    const bare = async (id: string) =>
      (await listCases(db.database, workspaceId, id)).map(
        ({ name, event, lane, input, expect: wanted, judgeReplies }) => ({
          ...{ name, event, lane, wanted, judgeReplies },
          input: JSON.parse(input),
        }),
      );
    expect(await bare(other)).toEqual(await bare(policyId));
  });

  it("hide secrets in what they store, unless told that these are made up", async () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const input = JSON.stringify({ tool_name: "shell", tool_input: { cmd: `echo ${secret}` } });
    const policyId = await policyWith({ ...denied, input }, { ...denied, name: "kept", input, keepsSecrets: true });
    const [hidden, kept] = await listCases(db.database, server.admin.workspaceId, policyId);
    expect([hidden?.isMasked, hidden?.input.includes(secret)]).toEqual([true, false]);
    expect([kept?.isMasked, kept?.input.includes(secret)]).toEqual([false, true]);
  });

  it("have names of their own, copies too, and are gone when deleted", async () => {
    const policyId = await policyWith(denied);
    expect((await refusal(saveCase(db.database, server.admin, { ...denied, policyId }))).code).toBe("name_taken");
    const { workspaceId } = server.admin;
    const first = (await listCases(db.database, workspaceId, policyId))[0]?.id ?? "";
    const { caseId } = await duplicateCase(db.database, server.admin, { policyId, caseId: first });
    await deleteCase(db.database, server.admin, { policyId, caseId: first });
    const left = await listCases(db.database, workspaceId, policyId);
    expect(left.map(({ id, name }) => [id, name])).toEqual([[caseId, "deletes are denied (2)"]]);
    expect((await refusal(deleteCase(db.database, server.admin, { policyId, caseId: first }))).code).toBe(
      "case_not_found",
    );
  });

  it("of another workspace are not there", async () => {
    const policyId = await policyWith(denied);
    const stranger = "00000000-0000-7000-8000-000000000001";
    expect(await listCases(db.database, stranger, policyId)).toEqual([]);
    expect(
      await inWorkspace(stranger, () =>
        gate().failing(policyId, permitted(GUARD, { ...server.admin, workspaceId: stranger })),
      ),
    ).toEqual([]);
    await expect(exportCases(db.database, stranger, policyId)).rejects.toThrow("does not exist");
  });

  it("run by the policy's name on its draft, or on what is in force", async () => {
    const policyId = await policyWith(denied);
    const { name } = await get(db.database, server.admin.workspaceId, policyId);
    const drafted = await inWorkspace(server.admin.workspaceId, () =>
      server.running.app.bench.runCasesByName(server.admin, { name, on: "draft" }),
    );
    expect(drafted.cases.map(({ passed }) => passed)).toEqual([true]);
    const live = inWorkspace(server.admin.workspaceId, () =>
      server.running.app.bench.runCasesByName(server.admin, { name, on: "live" }),
    );
    expect((await refusal(live)).code).toBe("revision_not_found");
  });
});
