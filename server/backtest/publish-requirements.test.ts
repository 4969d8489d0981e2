/** Publish requirements hold on each path by which a text takes effect, and name what is missing. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import type { PersonActor } from "../access/actor.ts";
import type { Role } from "../access/role-schema.ts";
import { AppError } from "../errors/app-error.ts";
import { insertMembership, insertPerson } from "../people/repository.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createLog } from "../platform/log.ts";
import * as policies from "../policies/index.ts";
import { NO_REQUIREMENTS, type PublishRequirements } from "../policies/publishing/requirements-schema.ts";
import * as reviews from "../reviews/index.ts";
import { reviewRun } from "./review-run.ts";
import * as service from "./run-service.ts";
import { createBacktests } from "./runs.ts";

const rules = (...list: readonly string[]) => `profile: 2026-11
hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - name: shell rules
          type: rules
          rules:
${list.map((one) => `            - ${one}`).join("\n")}
`;
const DENY_GIT = "{command: {program: git}, deny: no git}";
const DENY_RM = "{command: {program: rm}, deny: no deletes}";
const ASK_GIT = "{command: {program: git}, ask: git is used}";
const STRICT = rules(DENY_GIT);
const STRICTER = rules(DENY_GIT, DENY_RM);
const LOOSE = rules(ASK_GIT);

let db: TestDatabase;
let server: TestGateway;
let olga: PersonActor;
let ada: PersonActor;
let policyId: string;
let name: string;

const person = async (name: string, role: Role): Promise<PersonActor> => {
  const { workspaceId } = server.admin;
  const id = uuidv7();
  await insertPerson(server.database.prisma, { id, name, emailVerified: true });
  await insertMembership(server.database.prisma, workspaceId, id, role);
  return { kind: "person", role, workspaceId, id, name };
};

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  [olga, ada] = [await person("Olga", "admin"), await person("Ada", "author")];
  const key = await server.agent("one");
  await server.publish(STRICT, "first");
  for (const cmd of ["git push", "rm -rf build", "ls"]) {
    const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: "s", tool_name: "shell", tool_use_id: cmd, tool_input: { cmd } }),
    });
    expect(response.status).toBe(200);
  }
  const [first] = await policies.list(server.database, server.admin.workspaceId);
  await policies.remove(server.database, bus(), olga, first?.id ?? "");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});
let number = 0;
/** A policy in force with two revisions, and no requirement. */
beforeEach(async () => {
  await requirePublish({});
  // A policy with four eyes is removed by two people only.
  await db.owner.query("UPDATE policy SET four_eyes = false");
  for (const { id } of await policies.list(server.database, server.admin.workspaceId))
    await policies.remove(server.database, bus(), olga, id);
  number += 1;
  name = `guard ${number}`;
  await server.publish(LOOSE, name);
  await server.publish(STRICT, name);
  policyId = (await policies.list(server.database, server.admin.workspaceId))[0]?.id ?? "";
});

const bus = () => server.running.app.bus;
const requirePublish = (some: Partial<PublishRequirements>) =>
  policies.setRequirements(server.database, bus(), olga, { ...NO_REQUIREMENTS, ...some });

async function draft(source: string): Promise<number> {
  const { latestRevision, draftVersion } = await policies.get(server.database, olga.workspaceId, policyId);
  const input = { policyId, source, baseVersion: draftVersion, baseRevision: latestRevision };
  return (await policies.saveDraft(server.database, bus(), ada, input)).version;
}
async function publish(source: string, gate = policies.NO_CASES, override?: { typed: string; reason: string }) {
  const { latestRevision, draftVersion } = await policies.get(server.database, olga.workspaceId, policyId);
  const asked = { policyId, source, note: "", baseRevision: latestRevision, draftVersion };
  return policies.publish(server.database, bus(), ada, { ...asked, ...(override && { override }) }, gate);
}
async function runAll() {
  const job = createBacktests({ db: server.database, log: createLog("silent") });
  while (await job.turn());
}
async function backtest(source: string): Promise<string> {
  const version = await draft(source);
  const { id } = await service.startIfMissing(server.database, ada, { policyId, of: { kind: "draft", version } });
  await runAll();
  return id;
}
async function backtestRevision(revision: number): Promise<string> {
  const of = { kind: "revision", number: revision } as const;
  const { id } = await service.startIfMissing(server.database, ada, { policyId, of });
  await runAll();
  return id;
}
const review = (runId: string, by: PersonActor = ada) => reviewRun(server.database, bus(), by, { policyId, runId });
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof AppError ? [error.code, error.message].join(" ") : String(error)),
  );
const audited = async (kind: string) =>
  (
    await server.database.pool.query<{ body: string }>(
      "SELECT body FROM audit_entry WHERE workspace_id = $1 AND kind = $2 ORDER BY seq DESC LIMIT 1",
      [olga.workspaceId, kind],
    )
  ).rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>)[0];

it("a backtest of exactly this text against what is in force is required on each path", async () => {
  await requirePublish({ needsBacktest: true });
  const database = server.database;
  const unmet = /requirements_unmet.*backtest of exactly this text/;
  expect(await refusal(publish(STRICTER))).toMatch(unmet);
  const byName = { name, source: STRICTER, note: "" };
  expect(await refusal(policies.publishByName(database, bus(), ada, byName, policies.NO_CASES))).toMatch(unmet);
  const fresh = { ...byName, name: "never published" };
  expect(await refusal(policies.publishByName(database, bus(), ada, fresh, policies.NO_CASES))).toMatch(unmet);
  const back = { policyId, number: 1, expectedLive: 2 };
  expect(await refusal(policies.rollBack(database, bus(), ada, back))).toMatch(unmet);
  expect(await refusal(policies.rollBack(database, bus(), ada, { ...back, duringFreeze: "urgent" }))).toMatch(unmet);
  const canary = { policyId, revision: 1, share: 100, groupId: null, expectedCanary: null };
  expect(await refusal(policies.setCanary(database, bus(), ada, canary))).toMatch(unmet);

  await backtest(STRICTER);
  // Another text, by one character, is another text.
  expect(await refusal(publish(`${STRICTER}\n`))).toMatch(unmet);
  await publish(STRICTER);
  // The revision in force is another one now, so the runs before it say nothing.
  await backtestRevision(1);
  await requirePublish({});
  await server.publish(STRICT, name);
  await requirePublish({ needsBacktest: true });
  const old = { policyId, number: 1, expectedLive: 4 };
  expect(await refusal(policies.rollBack(database, bus(), ada, old))).toMatch(unmet);
  await backtestRevision(1);
  await policies.rollBack(database, bus(), ada, old);
});

it("a promotion needs a backtest of its own, and abandoning a canary does not", async () => {
  const database = server.database;
  await policies.setCanary(database, bus(), ada, {
    ...{ policyId, revision: 1, share: 100, groupId: null, expectedCanary: null },
  });
  await requirePublish({ needsBacktest: true });
  const end = (outcome: "promoted" | "abandoned") =>
    policies.endCanary(database, bus(), ada, { policyId, revision: 1, outcome });
  expect(await refusal(end("promoted"))).toContain("requirements_unmet");
  await end("abandoned");
});

it("looser calls need a review, which holds for one text", async () => {
  await requirePublish({ needsReview: true });
  const run = await backtest(LOOSE);
  expect(await refusal(publish(LOOSE))).toMatch(/requirements_unmet.*1 less strict and 0 unknown/);
  const script = { ...server.admin } as unknown as PersonActor;
  expect(await refusal(review(run, script))).toContain("second_person_needed");
  await review(run);
  expect(await audited("backtest_reviewed")).toMatchObject({
    policy: policyId,
    run,
    looser: 1,
    unknown: 0,
    by: ada.id,
  });
  // A later run of the text is not covered by the review.
  const version = await draft(LOOSE);
  const asked = { policyId, draftVersion: version, days: 7, isQuick: false };
  const { id: later } = await service.start(server.database, ada, asked);
  await runAll();
  expect(await refusal(publish(LOOSE))).toContain("requirements_unmet");
  await review(later);
  const other = `${LOOSE}\n`;
  await backtest(other);
  expect(await refusal(publish(other))).toContain("requirements_unmet");
  await draft(LOOSE);
  await publish(LOOSE);
  // A stricter text needs no review.
  await backtest(STRICT);
  await publish(STRICT);
});

it("unknown calls need a review too", async () => {
  await requirePublish({ needsReview: true });
  const judge =
    "        - {name: judge, type: model, model: a/b, schema: pre_tool_use_decision, prompt: is this right}\n";
  const run = await backtest(STRICT + judge);
  expect(await refusal(publish(STRICT + judge))).toMatch(/0 less strict and 2 unknown/);
  await review(run);
  await publish(STRICT + judge);
});

it("with four eyes, a person who has not edited the text reviews", async () => {
  await reviews.setFourEyes(server.database, bus(), olga, { policyId, isOn: true });
  await requirePublish({ needsReview: true });
  const run = await backtest(LOOSE);
  expect(await refusal(review(run, ada))).toMatch(/second_person_needed.*You wrote this text/);
  expect(await refusal(publish(LOOSE))).toMatch(/has not edited the text/);
  await review(run, olga);
  expect(await refusal(publish(LOOSE))).toContain("review_required");
});

it("a review by the author does not count once the policy has four eyes", async () => {
  await requirePublish({ needsReview: true });
  const run = await backtest(LOOSE);
  await review(run, ada);
  await reviews.setFourEyes(server.database, bus(), olga, { policyId, isOn: true });
  expect(await refusal(publish(LOOSE))).toContain("requirements_unmet");
});

it("new denials of a day have a limit", async () => {
  await requirePublish({ newDenialsMax: 0 });
  await backtest(STRICTER);
  expect(await refusal(publish(STRICTER))).toMatch(/allows 0 new denials a day. The backtest has 1 on one day/);
  await requirePublish({ newDenialsMax: 1 });
  await publish(STRICTER);
});

it("required test cases cannot be overridden, and run before a revision returns", async () => {
  await requirePublish({ needsPassingCases: true });
  const failing: policies.CaseGate = {
    failing: async (_policy, { source }) =>
      source === LOOSE || source === STRICTER ? [{ caseId: "c", name: "git", says: "expected deny, got ask" }] : [],
  };
  const override = { typed: name, reason: "because" };
  expect(await refusal(publish(STRICTER, failing, override))).toMatch(/requires that all test cases pass. 1 fails/);
  const back = { policyId, number: 1, expectedLive: 2 };
  const unmet = /requirements_unmet.*all test cases pass/;
  expect(await refusal(policies.rollBack(server.database, bus(), ada, back, failing))).toMatch(unmet);
  // Without a runner they count as failed.
  expect(await refusal(policies.rollBack(server.database, bus(), ada, back))).toMatch(/They were not run/);
  await publish(`${STRICT}\n`, failing);
});

it("the emergency path of an admin puts a revision in force, with an entry", async () => {
  await requirePublish({ needsBacktest: true });
  const change = { kind: "roll_back", input: { policyId, number: 1, expectedLive: 2 } } as const;
  const reason = "The revision stops every deployment.";
  expect(await refusal(reviews.changeInEmergency(server.database, bus(), ada, { change, reason }))).toContain(
    "forbidden",
  );
  await reviews.changeInEmergency(server.database, bus(), olga, { change, reason });
  expect(await audited("publish_requirements_overridden")).toMatchObject({
    ...{ by: olga.id, policies: [policyId], requirements: ["backtest"], reason },
  });
  expect((await policies.get(server.database, olga.workspaceId, policyId)).liveRevision).toBe(1);
});

it("an undo of a first publication is refused without a text to run", async () => {
  await requirePublish({});
  const source = `${STRICT}\n`;
  const asked = { name: "second", source };
  const { policyId: second } = await policies.create(server.database, bus(), ada, asked);
  const { draftVersion } = await policies.get(server.database, olga.workspaceId, second);
  const input = { policyId: second, source, note: "", baseRevision: 0, draftVersion };
  const { entry } = await policies.publish(server.database, bus(), ada, input, policies.NO_CASES);
  await requirePublish({ needsBacktest: true });
  const undo = { policyId: second, number: 0, expectedLive: 1, undoes: entry };
  expect(await refusal(policies.rollBack(server.database, bus(), ada, undo))).toMatch(/no text to run/);
});

it("the requirements are recorded with the person and the change", async () => {
  await requirePublish({ needsBacktest: true, newDenialsMax: 5 });
  expect(await audited("publish_requirements_set")).toMatchObject({
    ...{ by: olga.id, needsBacktest: true, needsReview: false, newDenialsMax: 5, needsPassingCases: false },
  });
  expect(await policies.getRequirements(server.database, olga.workspaceId)).toMatchObject({
    ...{ needsBacktest: true, newDenialsMax: 5, setBy: "Olga" },
  });
});
