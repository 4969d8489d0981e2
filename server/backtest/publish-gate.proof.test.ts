/** Proof of the review requirement: of 200 generated texts that loosen the text in force, each is refused until it is reviewed. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { generatePair, PROGRAMS } from "../../e2e/fixtures/loosened-policies.ts";
import type { PersonActor } from "../access/actor.ts";
import { AppError } from "../errors/app-error.ts";
import { insertMembership, insertPerson } from "../people/repository.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createLog } from "../platform/log.ts";
import * as policies from "../policies/index.ts";
import { NO_REQUIREMENTS } from "../policies/publishing/requirements-schema.ts";
import { reviewRun } from "./review-run.ts";
import * as service from "./run-service.ts";
import { createBacktests } from "./runs.ts";

const PAIRS = 200;

let db: TestDatabase;
let server: TestGateway;
let olga: PersonActor;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  const { workspaceId } = server.admin;
  const id = uuidv7();
  await insertPerson(server.database.prisma, { id, name: "Olga", emailVerified: true });
  await insertMembership(server.database.prisma, workspaceId, id, "admin");
  olga = { kind: "person", role: "admin", workspaceId, id, name: "Olga" };
  const key = await server.agent("one");
  // One recorded call of each program that a rule can name.
  for (const cmd of [...PROGRAMS, "whoami"]) {
    const response = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: "s", tool_name: "shell", tool_use_id: cmd, tool_input: { cmd } }),
    });
    expect(response.status).toBe(200);
  }
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const bus = () => server.running.app.bus;
const setReview = (needsReview: boolean) =>
  policies.setRequirements(server.database, bus(), olga, { ...NO_REQUIREMENTS, needsReview });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "published",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

it("refuses each of 200 loosened texts until a person reviews its backtest", async () => {
  const job = createBacktests({ db: server.database, log: createLog("silent") });
  const counts = { passedUnreviewed: 0, passedWithoutBacktest: 0, refusedReviewed: 0 };
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const { strict, loose } = generatePair(pair);
    await setReview(false);
    await server.publish(strict, "guard");
    await setReview(true);
    const [policy] = await policies.list(server.database, olga.workspaceId);
    const policyId = policy?.id ?? "";
    const { latestRevision: baseRevision, draftVersion } = await policies.get(
      server.database,
      olga.workspaceId,
      policyId,
    );
    const saved = { policyId, source: loose, baseVersion: draftVersion, baseRevision };
    const { version } = await policies.saveDraft(server.database, bus(), olga, saved);
    const asked = { policyId, source: loose, note: "", baseRevision, draftVersion: version };
    const publish = () => codeOf(policies.publish(server.database, bus(), olga, asked, policies.NO_CASES));

    if ((await publish()) !== "requirements_unmet") counts.passedWithoutBacktest += 1;
    const of = { kind: "draft", version } as const;
    const { id: runId } = await service.startIfMissing(server.database, olga, { policyId, of });
    while (await job.turn());
    if ((await publish()) !== "requirements_unmet") counts.passedUnreviewed += 1;
    await reviewRun(server.database, bus(), olga, { policyId, runId });
    if ((await publish()) !== "published") counts.refusedReviewed += 1;
  }
  expect(counts).toEqual({ passedUnreviewed: 0, passedWithoutBacktest: 0, refusedReviewed: 0 });
}, 600_000);
