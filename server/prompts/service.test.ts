/** Judge prompts from a draft to figures, with a real server, a real database and a provider on loopback. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type ModelStub, modelStub } from "../../e2e/fixtures/model-stub.ts";
import * as judges from "../judges/index.ts";
import { saveConnection } from "../judges/schema.ts";
import { inWorkspace } from "../platform/scope.ts";
import * as policies from "../policies/index.ts";
import { compare } from "./compare-trials.ts";
import { label, labels, unlabel } from "./labels.ts";
import * as previews from "./preview.ts";
import * as recordedCalls from "./recorded-calls.ts";
import { measures } from "./revision-figures.ts";
import {
  type JudgedText,
  judgedText,
  type RecordedFilter,
  type StartTrial,
  savePromptDraft,
  startTrial,
  type TrialDetailView,
} from "./schema.ts";
import { score } from "./score.ts";
import * as prompts from "./service.ts";
import * as trialViews from "./trial-views.ts";
import * as views from "./views.ts";

let db: TestDatabase;
let server: TestGateway;
let stub: ModelStub;
let key: string;

beforeAll(async () => {
  [db, stub] = [await testDatabase(), await modelStub()];
  server = await testGateway(db.url);
  key = await server.agent("tester");
  const dear = { input: 1_000_000_000n, output: 10_000_000_000n, cachedInput: null, cacheWrite: null };
  await judges.save(
    { ...server.running.app, db: server.database },
    server.admin,
    saveConnection.parse({
      name: "local",
      provider: "openai-compatible",
      baseUrl: stub.url,
      callsPerDay: null,
      nanoPerDay: null,
      prices: [{ model: "tiny", ...dear }],
    }),
  );
  for (const cmd of ["stub:allow", "stub:deny", "stub:ask", "stub:failing", "stub:two"]) await dispatched(cmd);
});
afterAll(async () => {
  await server?.stop();
  await stub?.stop();
  await db?.drop();
});

async function dispatched(cmd: string, tool = "shell"): Promise<void> {
  const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s", tool_name: tool, tool_input: { cmd } }),
  });
  expect(response.status).toBe(200);
  await server.projected();
}

const text = (template: string, model = "local/tiny"): JudgedText => ({
  template,
  model,
  schema: "pre_tool_use_decision",
});
const ECHO = text("What of {{ .ToolInput.cmd }}?");
const SHELL: RecordedFilter = { event: "pre_tool_use", tool: "shell", agent: null, only: "all", judge: null };
const app = () => ({ ...server.running.app, db: server.database });
const workspaceId = () => server.admin.workspaceId;
let made = 0;
async function promptOf(draft?: JudgedText) {
  made += 1;
  const name = `judge-${made}`;
  return { name, ...(await prompts.create(app(), server.admin, { name, ...(draft ? { text: draft } : {}) })) };
}
async function published(promptId: string, next: JudgedText, note = "", more: { acceptsWorse?: true } = {}) {
  const { latestRevision, draftVersion } = await views.get(db.database, workspaceId(), promptId);
  const base = { baseRevision: latestRevision, draftVersion };
  return prompts.publish(app(), server.admin, { promptId, ...next, note, ...base, ...more });
}

const trialOf = (promptId: string, more: Partial<StartTrial> = {}): StartTrial =>
  startTrial.parse({
    promptId,
    what: { kind: "draft", text: ECHO },
    on: { kind: "filter", filter: SHELL, calls: 10 },
    repeats: 1,
    timeoutSeconds: 20,
    budget: { calls: 100, nano: 1_000_000_000n },
    ...more,
  });

/** The trial once it has ended: asked again whenever the bus says that something happened. */
async function ended(trialId: string): Promise<TrialDetailView> {
  for (;;) {
    const changed = new Promise<void>((resolve) => {
      const stop = app().bus.subscribe((_workspace, topics) => {
        if (!topics.includes("prompts")) return;
        stop();
        resolve();
      });
    });
    const found = await trialViews.trial(db.database, server.admin, trialId);
    if (found.trial.state !== "running") return found;
    await changed;
  }
}
async function tried(promptId: string, more: Partial<StartTrial> = {}): Promise<TrialDetailView> {
  const { trialId } = await inWorkspace(workspaceId(), () =>
    app().judgeTrials.start(server.admin, trialOf(promptId, more)),
  );
  return ended(trialId);
}
const spentOf = async (trialId: string) => {
  const found = await db.database.pool.query<{ calls: string; nano: string }>(
    "SELECT calls, nano FROM judge_spend_day WHERE account = $1",
    [`trial ${trialId}`],
  );
  return { calls: Number(found.rows[0]?.calls ?? 0), nano: BigInt(found.rows[0]?.nano ?? 0) };
};

describe("a judge prompt", () => {
  test("is drafted, published in revisions that never change, and deleted when nobody uses it", async () => {
    const { promptId, name } = await promptOf();
    const first = await prompts.saveDraft(app(), server.admin, {
      promptId,
      ...text("one\r\ntwo"),
      baseVersion: 0,
      baseRevision: 0,
    });
    const seen = await views.get(db.database, workspaceId(), promptId);
    expect(seen).toMatchObject({ draftVersion: first.version, text: { template: "one\ntwo" }, published: null });
    // A second editor that began before loses politely, and an answer that got lost is no conflict.
    const late = { promptId, ...text("three"), baseVersion: 0, baseRevision: 0 };
    await expect(prompts.saveDraft(app(), server.admin, late)).rejects.toMatchObject({ code: "prompt_moved_on" });
    await prompts.saveDraft(app(), server.admin, { ...late, ...text("one\ntwo") });
    expect(await published(promptId, text("one\ntwo"), "first")).toMatchObject({ number: 1 });
    expect(await published(promptId, text("two"))).toMatchObject({ number: 2 });
    await expect(
      prompts.publish(app(), server.admin, {
        promptId,
        ...text("x"),
        note: "",
        baseRevision: 1,
        draftVersion: 0,
      }),
    ).rejects.toMatchObject({ code: "prompt_moved_on" });
    const labelled = await views.labelled(db.database, workspaceId(), { name, revision: 1 });
    expect(labelled).toMatchObject({ note: "first", text: text("one\ntwo") });

    const hook = `{type: model, judge: ${name}@1, model: local/tiny, schema: pre_tool_use_decision, prompt: "two"}`;
    const source = `hooks:\n  pre_tool_use:\n    - matcher: never\n      hooks:\n        - ${hook}\n`;
    await server.publish(source, `uses ${name}`);
    const { findings } = await policies.check(
      db.database,
      { workspaceId: workspaceId(), id: workspaceId() },
      { source },
    );
    expect(findings.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(["judge-text-differs", "judge-revision-behind"]),
    );
    const [used] = (await views.list(db.database, workspaceId())).filter((one) => one.id === promptId);
    expect(used?.usedBy).toMatchObject([{ policy: `uses ${name}`, revisions: [1] }]);
    await expect(prompts.remove(app(), server.admin, { promptId })).rejects.toMatchObject({ code: "prompt_in_use" });
    await server.publish(source.replace(`judge: ${name}@1, `, ""), `uses ${name}`);
    await prompts.remove(app(), server.admin, { promptId });
    await expect(views.get(db.database, workspaceId(), promptId)).rejects.toMatchObject({ code: "prompt_not_found" });
    const audit = await db.database.pool.query<{ kind: string }>(
      "SELECT kind FROM audit_entry WHERE body LIKE $1 ORDER BY seq",
      [`%"prompt":"${promptId}"%`],
    );
    expect(audit.rows.map(({ kind }) => kind)).toEqual([
      "judge_prompt_created",
      "judge_prompt_published",
      "judge_prompt_published",
      "judge_prompt_deleted",
    ]);
  });

  test("that cannot be read is not published, and says where", async () => {
    const { promptId } = await promptOf();
    await expect(published(promptId, text("fine\n  {{ if }}"))).rejects.toMatchObject({
      code: "prompt_invalid",
      message: expect.stringContaining("Line 2, column"),
    });
    await expect(published(promptId, text("  "))).rejects.toThrow("is empty");
    await expect(published(promptId, text("x", "tiny"))).rejects.toThrow("CONNECTION/MODEL");
    const { latestRevision } = await views.get(db.database, workspaceId(), promptId);
    expect(latestRevision).toBe(0);
  });

  test("of 300 KB is refused at the edge, as is a NUL and a schema nobody knows", () => {
    const of = (template: string) => judgedText.safeParse(text(template));
    expect(of("x".repeat(262_144)).success).toBe(true);
    expect(of("x".repeat(300_000)).error?.issues[0]?.message).toContain("256 KiB");
    expect(of("é".repeat(200_000)).error?.issues[0]?.message).toContain("256 KiB");
    expect(of("a\0b").success).toBe(false);
    expect(judgedText.safeParse({ ...text("x"), schema: "other" }).success).toBe(false);
    expect(savePromptDraft.safeParse({ promptId: crypto.randomUUID(), ...text("x".repeat(300_000)) }).success).toBe(
      false,
    );
  });
});

describe("a preview", () => {
  test("is what a model would be sent, with secrets gone and the cost known", async () => {
    const { promptId } = await promptOf();
    await dispatched("curl -H 'Authorization: Bearer ghp_012345678901234567890123456789abcdef'", "fetch");
    const [call] = await recordedCalls.recorded(db.database, workspaceId(), {
      promptId,
      ...SHELL,
      tool: "fetch",
      limit: 5,
    });
    expect(call?.excerpt).toContain("[REDACTED]");
    expect(call?.keys).toEqual([{ name: "cmd", type: "string" }]);
    const seen = await previews.preview(app(), workspaceId(), {
      event: "pre_tool_use",
      call: call ? { occurredAt: call.occurredAt, id: call.id } : null,
      ...text("Run {{ .ToolInput.cmd }}? AKIAIOSFODNN7EXAMPLE"),
    });
    expect(seen.prompt).not.toContain("ghp_");
    expect(seen).toMatchObject({ problem: null, isSample: false });
    expect(seen.redactions).toBeGreaterThan(0);
    expect(seen.system).toContain("JSON Schema");
    expect(seen.characters).toBe((seen.system ?? "").length + (seen.prompt ?? "").length);
    expect(seen.cost).toEqual({
      kind: "priced",
      question: BigInt(seen.tokens) * 1_000n,
      atMost: expect.any(BigInt),
    });
  });

  test("says where a template is wrong, and what a model costs when nobody knows", async () => {
    const of = (template: string, model: string) =>
      previews.preview(app(), workspaceId(), { event: "stop", call: null, ...text(template, model) });
    expect(await of("a\n{{ .Nope", "local/gratis")).toMatchObject({
      prompt: null,
      problem: { line: 2 },
      cost: { kind: "unpriced" },
      isSample: true,
    });
    expect(await of("{{ .Nope }}", "nobody/x")).toMatchObject({
      problem: { message: expect.stringContaining("Nope"), line: null },
      cost: { kind: "unconnected" },
    });
  });
});

describe("a trial", () => {
  test("asks once about a call that two lanes recorded", async () => {
    const { promptId } = await promptOf(ECHO);
    for (const lane of ["?lane=preempt_yolo", ""])
      for (const [tool_use_id, cmd] of [
        ["c1", "stub:deny"],
        ["c2", "stub:allow"],
      ]) {
        const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use${lane}`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify({ session_id: "lanes", tool_use_id, tool_name: "two lanes", tool_input: { cmd } }),
        });
        expect(response.status).toBe(200);
      }
    await server.projected();
    const filter = { ...SHELL, tool: "two lanes" };
    const before = stub.asked.length;
    const first = await tried(promptId, { on: { kind: "filter", filter, calls: 10 } });
    // The provider bills what it was asked.
    expect(stub.asked.length - before).toBe(2);
    expect(first.calls.map(({ excerpt }) => excerpt).sort()).toEqual(["stub:allow", "stub:deny"]);
    expect(first.trial).toMatchObject({ asked: 2, planned: 2 });
  });

  test("asks about every recorded call, and counts what failed with its cause", async () => {
    const { promptId } = await promptOf();
    await published(promptId, ECHO);
    const { trial, calls } = await tried(promptId, { what: { kind: "revision", number: 1 } });
    expect(trial).toMatchObject({ state: "finished", planned: 5, asked: 5, failed: 2, revision: 1, flips: null });
    const byWord = Object.fromEntries(calls.map(({ verdict, cause }) => [`${verdict} ${cause}`, true]));
    expect(Object.keys(byWord).sort()).toEqual([
      "allow null",
      "ask null",
      "deny null",
      "failed provider_error",
      "failed unparsable",
    ]);
    expect(calls.find(({ verdict }) => verdict === "deny")).toMatchObject({
      reason: "it removes everything",
      pricing: "priced",
      outputTokens: 20,
    });
    expect(trial.failures.map(({ cause }) => cause).sort()).toEqual(["provider_error", "unparsable"]);
    expect(trial.latency?.of).toBe(3);
    expect(await measures(db.database, workspaceId(), promptId)).toMatchObject({
      revisions: [{ number: 1, measures: { judged: 3, failed: 2, labelled: 0, precision: null } }],
    });
  });

  test("of a guard reads allow and deny, and nothing else", async () => {
    const { promptId } = await promptOf();
    const guard = { ...ECHO, schema: "guard_decision" };
    const { calls } = await tried(promptId, { what: { kind: "draft", text: guard } });
    const decided = calls.map(({ verdict, cause }) => [verdict, cause].join(" ")).sort();
    expect(decided).toEqual(["allow ", "block ", "failed provider_error", "failed unparsable", "failed unparsable"]);
    expect(calls.find(({ verdict }) => verdict === "block")?.reason).toBe("it removes everything");
  });

  test("of a model that hangs fails by timeout, and one that cannot be rendered without asking", async () => {
    const { promptId } = await promptOf();
    const hung = await tried(promptId, {
      what: { kind: "draft", text: text("stub:hang") },
      on: { kind: "filter", filter: SHELL, calls: 2 },
      timeoutSeconds: 1,
    });
    expect(hung.trial).toMatchObject({ state: "finished", failed: 2, failures: [{ cause: "timeout", answers: 2 }] });
    const before = stub.asked.length;
    const unrendered = await tried(promptId, { what: { kind: "draft", text: text("{{ .Nope }}") } });
    expect(unrendered.trial.failures).toEqual([{ cause: "template", answers: 5 }]);
    expect(unrendered.calls[0]?.reason).toContain("Nope");
    expect(stub.asked.length).toBe(before);
  });

  test("repeats each call, and tells how many flip", async () => {
    const { promptId } = await promptOf();
    await dispatched("stub:turns", "flips");
    await dispatched("stub:deny", "flips");
    const { trial } = await tried(promptId, {
      on: { kind: "filter", filter: { ...SHELL, tool: "flips" }, calls: 2 },
      repeats: 3,
    });
    expect(trial).toMatchObject({ planned: 6, asked: 6, flips: { hits: 1, of: 2 } });
  });

  test("stops when its calls are spent, and says so", async () => {
    const { promptId } = await promptOf();
    const { trial, calls } = await tried(promptId, { budget: { calls: 3, nano: 1_000_000_000n } });
    expect(trial).toMatchObject({ state: "spent", asked: 3, planned: 5, says: expect.stringContaining("budget") });
    expect(calls.filter(({ verdict }) => verdict === null)).toHaveLength(2);
    expect((await spentOf(trial.id)).calls).toBe(3);
  });

  test("never overshoots its dollars, however many of its questions race", async () => {
    const { promptId } = await promptOf();
    const preview = await previews.preview(app(), workspaceId(), {
      event: "pre_tool_use",
      call: null,
      ...text("stub:deny"),
    });
    const atMost = preview.cost.kind === "priced" ? preview.cost.atMost : 0n;
    // Room for two and a half questions at their most; each really costs a fraction of that.
    const nano = (atMost * 5n) / 2n;
    const start = () =>
      tried(promptId, {
        what: { kind: "draft", text: text("stub:deny") },
        repeats: 10,
        budget: { calls: 1_000, nano },
      });
    for (const { trial } of await Promise.all([start(), start(), start()])) {
      const spent = await spentOf(trial.id);
      expect(spent.nano).toBeLessThanOrEqual(nano);
      expect(spent.nano).toBe(trial.spend.nano);
      expect(trial.asked).toBe(spent.calls);
      if (trial.state === "spent") expect(nano - spent.nano).toBeLessThan(atMost);
      else expect(trial).toMatchObject({ state: "finished", asked: 50 });
    }
  });

  test("does not begin without a budget it can keep, a call to ask about, or room", async () => {
    const { promptId } = await promptOf();
    const start = (more: Partial<StartTrial>) =>
      inWorkspace(workspaceId(), () => app().judgeTrials.start(server.admin, trialOf(promptId, more)));
    await expect(start({ budget: { calls: 5, nano: null } })).rejects.toThrow("budget in dollars");
    const unpriced = { what: { kind: "draft", text: text("x", "local/gratis") } } as const;
    await expect(start(unpriced)).rejects.toThrow("no price");
    await expect(start({ on: { kind: "filter", filter: { ...SHELL, tool: "nobody" }, calls: 5 } })).rejects.toThrow(
      "No recorded call",
    );
    await expect(start({ what: { kind: "draft", text: text("{{ if }}") } })).rejects.toMatchObject({
      code: "prompt_invalid",
    });
    await expect(start({ what: { kind: "draft", text: text("x", "nobody/x") } })).rejects.toThrow("No connection");
    const hanging = { what: { kind: "draft", text: text("stub:hang") }, timeoutSeconds: 60 } as const;
    const running = await Promise.all([start(hanging), start(hanging), start(hanging)]);
    await expect(start(hanging)).rejects.toMatchObject({ code: "busy" });
    for (const { trialId } of running)
      await inWorkspace(workspaceId(), () => app().judgeTrials.cancel(server.admin, { trialId }));
    for (const { trialId } of running)
      expect((await ended(trialId)).trial).toMatchObject({ state: "canceled", failed: expect.any(Number) });
    expect((await tried(promptId, { ...unpriced, budget: { calls: 5, nano: null } })).trial).toMatchObject({
      state: "finished",
      spend: { unpriced: 5, nano: 0n },
    });
  });
});

describe("labels", () => {
  test("give a revision its precision and recall, and follow the call into the next revision", async () => {
    const { promptId, name } = await promptOf();
    await published(promptId, ECHO);
    const first = await tried(promptId, { what: { kind: "revision", number: 1 } });
    const put = (word: "right" | "too_strict" | "too_loose", verdict: string, expected?: "allow" | "ask" | "deny") => {
      const call = first.calls.find((one) => one.verdict === verdict);
      if (!call) throw new Error(`nothing said ${verdict}`);
      const subject = { kind: "trial", trialId: first.trial.id, place: call.place, repeat: 0 } as const;
      return label(app(), server.admin, { subject, word, note: "", ...(expected ? { expected } : {}) });
    };
    await put("too_strict", "deny", "allow");
    await put("right", "ask");
    await put("right", "allow");
    await expect(put("too_loose", "deny")).rejects.toThrow("nothing is stricter");
    await expect(put("right", "failed")).rejects.toThrow("not failures or context");
    await expect(put("too_strict", "ask", "deny")).rejects.toThrow("cannot mean");
    const figures = async (number: number) => {
      const { revisions } = await measures(db.database, workspaceId(), promptId);
      return revisions.find((one) => one.number === number)?.measures;
    };
    expect(await figures(1)).toMatchObject({
      labelled: 3,
      precision: { hits: 1, of: 2 },
      recall: { hits: 1, of: 1 },
      agreement: { hits: 2, of: 3 },
    });

    // A second revision that allows everything, on the very calls.
    await published(promptId, text("stub:allow"));
    const second = await tried(promptId, {
      what: { kind: "revision", number: 2 },
      on: { kind: "same", trialId: first.trial.id },
    });
    expect(await figures(2)).toMatchObject({
      judged: 5,
      labelled: 3,
      precision: null,
      recall: { hits: 0, of: 1 },
      agreement: { hits: 2, of: 3 },
    });
    const compared = await compare(db.database, workspaceId(), {
      left: first.trial.id,
      right: second.trial.id,
    });
    expect(compared.rows.map(({ state }) => state)).toEqual(["changed", "changed", "unknown", "unknown", "agree"]);
    expect(compared).toMatchObject({ apart: 0, left: { failed: 2 }, right: { failed: 0 } });
    // Newly wrong ones come first, each with the call in view.
    expect(compared.rows[0]).toMatchObject({ score: "newly_wrong", excerpt: "stub:ask", expected: "ask" });
    const equal = {
      labelled: 3,
      compared: 3,
      disputed: 0,
      before: { right: 2, wrong: 1 },
      after: { right: 2, wrong: 1 },
    };
    expect(compared.score).toEqual({ ...equal, newlyWrong: 1, newlyRight: 1 });

    // A text that is right on fewer labelled calls is published only by one who says that they know.
    const worse = text("stub:deny");
    const untried = await score(db.database, workspaceId(), { promptId, ...worse });
    expect(untried).toMatchObject({ labelled: 3, compared: 0, isWorse: false, changed: [] });
    await tried(promptId, { what: { kind: "draft", text: worse }, on: { kind: "same", trialId: first.trial.id } });
    const known = await score(db.database, workspaceId(), { promptId, ...worse });
    expect(known).toMatchObject({
      compared: 3,
      isWorse: true,
      before: { right: 2 },
      after: { right: 0 },
      newlyWrong: 2,
    });
    expect(known.changed.map(({ excerpt, after }) => [excerpt, after]).sort()).toEqual([
      ["stub:allow", "deny"],
      ["stub:deny", "deny"],
    ]);
    await expect(published(promptId, worse)).rejects.toMatchObject({ code: "prompt_got_worse" });
    expect((await published(promptId, worse, "", { acceptsWorse: true })).number).toBe(3);

    // A colleague who sees it otherwise makes it disputed; taken back, it counts again.
    const denied = first.calls.find((one) => one.verdict === "deny");
    const subject = { kind: "trial", trialId: first.trial.id, place: denied?.place ?? 0, repeat: 0 } as const;
    const colleague = { ...server.admin, id: "other", name: "Other" };
    await label(app(), colleague, { subject, word: "right", note: "no" });
    expect(await figures(1)).toMatchObject({ labelled: 2, disputed: 1 });
    const sides = { left: first.trial.id, right: second.trial.id };
    expect((await compare(db.database, workspaceId(), sides)).score).toMatchObject({ labelled: 2, disputed: 1 });
    expect(await labels(db.database, server.admin, { subject })).toMatchObject([
      { isMine: true, word: "too_strict", expected: "allow" },
      { isMine: false, person: "Other", word: "right", expected: "deny" },
    ]);
    await unlabel(app(), colleague, { subject });
    expect(await figures(1)).toMatchObject({ labelled: 3, disputed: 0 });

    // A live judge that carries the label counts for its revision too.
    const live = `hooks:\n  pre_tool_use:\n    - matcher: live\n      hooks:\n        - {type: model, name: live judge, judge: ${name}@1, model: local/tiny, schema: pre_tool_use_decision, prompt: "What of {{ .ToolInput.cmd }}?"}\n`;
    await server.publish(live, "live");
    await dispatched("stub:deny", "live");
    expect(await figures(1)).toMatchObject({ judged: 4, labelled: 3 });
    const judgedBefore = { ...SHELL, tool: null, only: "judged" } as const;
    const recorded = await recordedCalls.recorded(db.database, workspaceId(), { promptId, ...judgedBefore, limit: 10 });
    expect(recorded).toMatchObject([{ tool: "live" }]);
    const call = { occurredAt: recorded[0]?.occurredAt ?? new Date(0), id: recorded[0]?.id ?? "", place: 0 };
    await label(app(), server.admin, { subject: { kind: "call", call }, word: "right", note: "" });
    expect(await figures(1)).toMatchObject({ labelled: 4, precision: { hits: 2, of: 3 } });
    const only = await recordedCalls.recorded(db.database, workspaceId(), {
      promptId,
      ...SHELL,
      tool: null,
      only: "labelled",
      limit: 10,
    });
    expect(only).toHaveLength(4);

    // The labelled calls come first, then the judged ones; a call that is named is first of all.
    await dispatched("stub:deny again", "live");
    const mixed = { promptId, ...SHELL, tool: null, only: "labelled_first", limit: 10 } as const;
    const ordered = await recordedCalls.recorded(db.database, workspaceId(), mixed);
    expect(ordered.map(({ expected }) => expected !== null)).toEqual([true, true, true, true, false]);
    const [named] = ordered.slice(-1);
    if (!named) throw new Error("no judged call");
    const including = { occurredAt: named.occurredAt, id: named.id };
    const [shown] = await recordedCalls.recorded(db.database, workspaceId(), { ...mixed, only: "labelled", including });
    expect(shown).toMatchObject({ id: named.id, expected: null });
  });
});
