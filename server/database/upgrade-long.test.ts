/**
 * The whole way with both releases' servers as they are run (the long run alone): filled by the former one, taken over while gates
 * are asked, gone back, and taken over again. 100,000 dispatches, or as many as QUARTERDECK_OLD_DISPATCHES says.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeOldInstallation } from "../../e2e/fixtures/make-old-installation.ts";
import { hasOldCommit, type OldCheckout, oldCheckout } from "../../e2e/fixtures/old-checkout.ts";
import { answerOf, type OldAnswers, readOldAnswers } from "../../e2e/fixtures/old-installation.ts";
import { asScript, oldCommandLine, startOldServer } from "../../e2e/fixtures/old-release.ts";
import { type OwnServer, ownServer } from "../../e2e/fixtures/own-server.ts";
import { createLog } from "../platform/log.ts";
import { startBackfill } from "./background-backfill.ts";
import { databaseAddresses, migrate, prepareSocketDirectory } from "./service.ts";

/** A shallow clone does not have the former release. */
const isPossible = await hasOldCommit();
const DISPATCHES = Number(process.env.QUARTERDECK_OLD_DISPATCHES ?? 100_000);
const MINUTE_MS = 60_000;

let checkout: OldCheckout;
let folder: string;
let home: string;
let server: OwnServer;
let answers: OldAnswers;
beforeAll(async () => {
  if (!isPossible) return;
  [checkout, folder, home] = [
    await oldCheckout(),
    await mkdtemp("/tmp/quarterdeck-made-"),
    await mkdtemp("/tmp/quarterdeck-way-"),
  ];
  await makeOldInstallation(checkout.path, DISPATCHES, folder);
  answers = await readOldAnswers(folder);
  server = await ownServer({ kept: home });
  await oldCommandLine(checkout.path, server.dataDir, ["restore", join(folder, "backup.tar")]);
}, 60 * MINUTE_MS);
afterAll(async () => {
  await server?.close();
  await checkout?.remove();
  for (const made of [folder, home]) await rm(made ?? "", { recursive: true, force: true });
}, MINUTE_MS);

async function gate(url: string, cmd: string): Promise<string> {
  const headers = { authorization: `Bearer ${answers.keys.builder}`, "content-type": "application/json" };
  const body = JSON.stringify({ session_id: "way", agent_name: "builder", tool_name: "shell", tool_input: { cmd } });
  const answer = await fetch(`${url}/api/v1/hooks/pre_tool_use`, { method: "POST", headers, body });
  return `${answer.status} ${(await answer.text()).includes("not allowed") ? "denied" : "passed"}`;
}

/** The report of this release's command line, held against the checkpoints that were kept outside. Errors: anything found. */
const verified = async () => {
  const outside = await readdir(join(server.dataDir, "checkpoints"));
  const files = outside.flatMap((name) => ["--checkpoint", join(server.dataDir, "checkpoints", name)]);
  return JSON.parse(await server.quarterdeck(["audit", "verify", "--json", ...files])) as OldAnswers["verified"];
};

test.runIf(isPossible)("there, back, and there again", { timeout: 30 * MINUTE_MS }, async () => {
  // The other nodes of an installation are still of the former release while the tables change: their gates are answered.
  let asked = 0;
  const first = await startOldServer(checkout.path, server.dataDir);
  const socketDir = await prepareSocketDirectory(server.dataDir);
  const { ownerUrl } = databaseAddresses({ databaseUrl: undefined }, socketDir);
  let isDone = false;
  const upgrade = migrate(ownerUrl)
    .then(() => startBackfill(ownerUrl, createLog("silent")).finished)
    .finally(() => {
      isDone = true;
    });
  const meanwhile = new Set<string>();
  while (!isDone || asked < 50) {
    meanwhile.add(await gate(first.url, `forbidden ${asked}`));
    asked += 1;
  }
  await upgrade;
  expect([...meanwhile]).toEqual(["200 denied"]);
  await first.stop();

  // Taken over: gates are answered from the first moment on, whatever is made meanwhile.
  await server.start();
  const said = new Set<string>();
  const api = await asScript(server);
  for (let number = 0; number < 200; number += 1) said.add(await gate(server.url, `forbidden ${number}`));
  asked += 200;
  expect([...said]).toEqual(["200 denied"]);
  const { dispatches } = await verified();
  expect(dispatches).toMatchObject({ unproven: 0 });
  expect(Number(dispatches.rows)).toBe(Number(answers.verified.dispatches.rows) + asked);
  const { input, answer } = answerOf(answers, "statements.statement");
  expect(await api.query("statements.statement", input)).toMatchObject(answer as object);
  expect(await server.quarterdeck(["verify", "projections"])).not.toContain("differs");
  await server.stop();

  // Back, by one command: the former release's own server works on the same database.
  await server.quarterdeck(["upgrade", "rollback"]);
  const former = await startOldServer(checkout.path, server.dataDir);
  expect(await gate(former.url, "forbidden again")).toBe("200 denied");
  expect(await gate(former.url, "ls")).toBe("200 passed");
  const listed = (await (await asScript(former)).query("stats.everything")) as { overall: { event_count: number } }; // statsView
  const before = answerOf(answers, "stats.everything").answer as typeof listed;
  expect(listed.overall.event_count).toBe(before.overall.event_count + asked + 2);
  // It does not know the facts that leaves of this release cover, and calls those rows altered: those alone.
  const heard = await oldCommandLine(checkout.path, server.dataDir, ["audit", "verify"], former.url).catch(String);
  const named = [...heard.matchAll(/entry (\d+) \(dispatches_recorded\)/g)].map(([, seq]) => Number(seq));
  expect(Math.min(...named)).toBeGreaterThan(answers.verified.entries.count);
  expect(heard).toContain("No gap in entries");
  await former.stop();

  // And there again: everything is one chain, and it verifies.
  await server.start();
  expect(await gate(server.url, "forbidden once more")).toBe("200 denied");
  const report = await verified();
  expect(Number(report.dispatches.rows)).toBe(Number(answers.verified.dispatches.rows) + asked + 3);
  await server.stop();
});
