import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Owner, type RecordingRig, recordingRig, recordOf } from "../../../e2e/fixtures/recording-rig.ts";
import type { Administrator } from "../../access/actor.ts";
import * as costs from "../../costs/index.ts";
import type { StatementContent } from "../../costs/statements/schema.ts";
import * as statements from "../../costs/statements/service.ts";
import { systemClock } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import { createErasure } from "./erasure.ts";
import { requestErasure, withdrawErasure } from "./erasure-requests.ts";

const NOW = new Date("2026-11-22T12:00:00Z");
let rig: RecordingRig;
let owner: Owner;
let admin: Administrator;
beforeAll(async () => {
  rig = await recordingRig();
});
beforeEach(async () => {
  owner = await rig.addOwner();
  admin = { kind: "script", id: "s", name: "ada", workspaceId: owner.workspaceId };
});
afterAll(() => rig.close());

async function call(month: string, agent: string, cost: number): Promise<void> {
  const text = JSON.stringify({ session_id: agent, model_id: "a/m", agent_name: agent, cost });
  await rig.recorder.record(
    recordOf(owner, "after_llm_call", text, { occurredAt: new Date(`${month}-07T08:00:00Z`) }),
    false,
  );
}
const world = () => ({ db: rig.db.database, bus: rig.bus });
async function close(month: string): Promise<StatementContent> {
  await statements.close(world(), admin, { month }, NOW);
  return (await statements.statement(rig.db.database, owner.workspaceId, { month }, NOW)).content;
}
async function erase(agentName: string): Promise<string> {
  const what = { sessionId: null, agentName, reason: "request 12" };
  const { id } = await requestErasure(rig.db.database, rig.bus, admin, what);
  await createErasure({ pool: rig.db.database.pool, log: createLog("silent"), clock: systemClock }).run();
  return id;
}
const nanoIn = ({ lines, adjustments }: StatementContent) =>
  [...lines, ...adjustments].reduce((sum, { sums }) => sum + BigInt(sums.nano), 0n);
const adjusted = ({ adjustments }: StatementContent) => adjustments.map(({ agent, sums }) => [agent, sums.nano]);

test("an agent that is erased after a month was closed is not told of twice, nor named again", async () => {
  await call("2026-08", "grace", 5);
  await call("2026-08", "edsger", 3);
  await call("2026-08", "barbara", 2);
  const closed = [await close("2026-08")];
  await call("2026-09", "barbara", 1);
  const requests = [await erase("grace"), await erase("edsger")];
  // Later reports of an erased agent are late, and under its alias.
  await call("2026-08", "edsger", 4);
  await createErasure({ pool: rig.db.database.pool, log: createLog("silent"), clock: systemClock }).run();

  closed.push(await close("2026-09"));
  expect(adjusted(closed[1] as StatementContent)).toEqual([[expect.stringMatching(/^erased-/), "4000000000"]]);
  for (const requestId of requests) await withdrawErasure(rig.db.database, rig.bus, admin, requestId);
  await call("2026-10", "barbara", 1);
  closed.push(await close("2026-10"));
  expect(adjusted(closed[2] as StatementContent)).toEqual([]);
  expect(JSON.stringify(closed.slice(1))).not.toMatch(/grace|edsger/);

  const whole = await costs.summary(rig.db.database, owner.workspaceId, { from: new Date(0), to: NOW });
  expect(whole.ledger.nano).toBe(16_000_000_000n);
  expect(closed.reduce((sum, content) => sum + nanoIn(content), 0n)).toBe(whole.ledger.nano);
});
