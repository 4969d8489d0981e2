import { describe, expect, it } from "vitest";
import { codeOf, policyWorkspace } from "../../../e2e/fixtures/policy-workspace.ts";
import type { Administrator } from "../../access/actor.ts";
import type { AppError } from "../../errors/app-error.ts";
import { endCanary, setCanary } from "../rollout/canary.ts";
import type { Override } from "../schema.ts";
import { create } from "../service.ts";
import { revision } from "../views.ts";
import { type CaseGate, NO_CASES } from "./case-gate.ts";
import { publish as publishById, publishByName } from "./publish.ts";
import { rollBack as rollBackTo } from "./roll-back.ts";

const { scene, newAgent, entries, get } = policyWorkspace();

const VETO = `profile: "2026-11"
hooks:
  before_compaction:
    - {name: no compaction, type: command, command: "exit 2"}
`;
const HARMLESS = `profile: "2026-11"
hooks:
  stop:
    - {name: say, type: command, command: "true"}
`;
/** 60 s: less than Claude Code waits, more than Qwen Code does. */
const SLOW = `profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - {name: scan, type: command, command: "cat >/dev/null", timeout: 60}
`;
const OVERRIDE: Override = { typed: "guard", reason: "Compactions are rare here.", rules: ["veto-hits-overflow"] };
const author = (): Administrator => ({ ...scene.admin, kind: "person", role: "author", name: "Anna" });

const publish = (source: string, override?: Override, by: Administrator = scene.admin, gate: CaseGate = NO_CASES) =>
  publishByName(
    scene.at.database,
    scene.bus,
    by,
    { name: "guard", source, note: "", ...(override && { override }) },
    gate,
  );
const overridden = async () =>
  (await entries())
    .filter(({ kind }) => kind === "policy_findings_overridden")
    .map(({ body }) => JSON.parse(body) as unknown);
const setClient = (agentId: string, client: string) =>
  scene.at.database.pool.query("UPDATE agent SET client = $2 WHERE id = $1", [agentId, client]);

describe("a text with a finding that blocks", () => {
  it("is refused with its line and its rule, by name and by id", async () => {
    const error = await publish(VETO).catch((refused: AppError) => refused);
    expect(error).toMatchObject({ code: "policy_blocked" });
    const { options, message } = error as AppError;
    expect(message).toContain("1 finding blocks this policy, so nothing took effect. This veto does not check");
    expect(options.problems).toEqual([
      expect.objectContaining({ rule: "veto-hits-overflow", path: "hooks.before_compaction[0].command", line: 4 }),
    ]);
    const { policyId } = await create(scene.at.database, scene.bus, scene.admin, { name: "guard" });
    const input = { policyId, source: VETO, note: "", baseRevision: 0, draftVersion: 0 };
    expect(await codeOf(publishById(scene.at.database, scene.bus, scene.admin, input, NO_CASES))).toBe(
      "policy_blocked",
    );
    expect(await get(policyId)).toMatchObject({ latestRevision: 0, overrides: [] });
  });

  it("takes effect by an admin's override, which is stored with the revision and in the audit log", async () => {
    expect(await codeOf(publish(VETO, OVERRIDE, author()))).toBe("forbidden");
    expect(await codeOf(publish(VETO, { ...OVERRIDE, typed: "other" }))).toBe("invalid_input");
    expect(await overridden()).toEqual([]);
    const { policyId } = await publish(VETO, OVERRIDE);
    const finding = { rule: "veto-hits-overflow", path: "hooks.before_compaction[0].command" };
    const stored = { number: 1, reason: OVERRIDE.reason, by: "Ada", findings: [expect.objectContaining(finding)] };
    expect((await get(policyId)).overrides).toMatchObject([stored]);
    const { database } = scene.at;
    expect(await revision(database, scene.admin.workspaceId, policyId, 1)).toMatchObject({
      overrides: [stored],
    });
    expect(await overridden()).toMatchObject([
      { policy: policyId, revision: 1, reason: OVERRIDE.reason, findings: [finding] },
    ]);
  });

  it("needs the override of each rule, and test cases need their own", async () => {
    const both = `${VETO}  user_prompt_submit:\n    - {name: scan, type: command, command: "cat >/dev/null", timeout: 300}\n`;
    const error = await publish(both, OVERRIDE).catch((refused: AppError) => refused);
    expect((error as AppError).options.problems).toEqual([
      expect.objectContaining({ rule: "gate-longer-than-caller" }),
    ]);
    await publish(HARMLESS);
    const failing: CaseGate = { failing: async () => [{ caseId: "c", name: "denies rm", says: "it allows" }] };
    expect(await codeOf(publish(VETO, { ...OVERRIDE, cases: false }, scene.admin, failing))).toBe("cases_failing");
  });
});

describe("a revision with a finding that blocks, put in force later", () => {
  const rollBack = (policyId: string, more: object = {}) =>
    rollBackTo(scene.at.database, scene.bus, scene.admin, { policyId, number: 1, expectedLive: 2, ...more });

  it("is refused as a roll back, a canary and a promotion, because its agents use another client now", async () => {
    const agent = await newAgent("a");
    await setClient(agent, "claude-code");
    const { policyId } = await publish(SLOW);
    await publish(HARMLESS);
    const act = { policyId, revision: 1 } as const;
    const canary = { ...act, share: 100, groupId: null, expectedCanary: null };
    const begin = () => setCanary(scene.at.database, scene.bus, scene.admin, canary);
    await begin();
    await setClient(agent, "qwen");

    const error = await rollBack(policyId).catch((refused: AppError) => refused);
    expect((error as AppError).message).toContain('60 s for "scan", but Qwen Code waits 50 s on pre_tool_use');
    const promote = { ...act, outcome: "promoted" } as const;
    expect(await codeOf(endCanary(scene.at.database, scene.bus, scene.admin, promote))).toBe("policy_blocked");
    await endCanary(scene.at.database, scene.bus, scene.admin, { ...act, outcome: "abandoned" });
    expect(await codeOf(begin())).toBe("policy_blocked");
    expect((await get(policyId)).liveRevision).toBe(2);

    const override: Override = { typed: "guard", reason: "It ends in a second.", rules: ["gate-longer-than-caller"] };
    await rollBack(policyId, { override });
    expect(await get(policyId)).toMatchObject({ liveRevision: 1, overrides: [{ number: 1, reason: override.reason }] });
    // The next time, the stored override covers the same findings.
    await rollBackTo(scene.at.database, scene.bus, scene.admin, { policyId, number: 2, expectedLive: 1 });
    await rollBack(policyId);
    expect(await overridden()).toHaveLength(1);
  });

  it("comes back by an undo, which restores the state before", async () => {
    const agent = await newAgent("a");
    await setClient(agent, "claude-code");
    const { policyId } = await publish(SLOW);
    const input = { policyId, source: HARMLESS, note: "", baseRevision: 1, draftVersion: 0 };
    const { entry } = await publishById(scene.at.database, scene.bus, scene.admin, input, NO_CASES);
    await setClient(agent, "qwen");
    expect(await codeOf(rollBack(policyId))).toBe("policy_blocked");
    await rollBack(policyId, { undoes: entry });
    expect((await get(policyId)).liveRevision).toBe(1);
  });

  it("is refused where a program is missing that its gate needs", async () => {
    const { policyId } = await publish(HARMLESS);
    await publish(`${HARMLESS}# 2\n`);
    const { database } = scene.at;
    const gate = HARMLESS.replace("stop:", "user_prompt_submit:").replace('"true"', '"absent-program"');
    await publish(gate);
    const roll = { policyId, number: 3, expectedLive: 2 } as const;
    await rollBackTo(database, scene.bus, scene.admin, { policyId, number: 2, expectedLive: 3 });
    const findPrograms = async () => ({ kind: "searched", missing: ["absent-program"] }) as const;
    const back = rollBackTo(database, scene.bus, scene.admin, roll, { findPrograms });
    await expect(back).rejects.toMatchObject({
      code: "policy_blocked",
      options: { problems: [expect.objectContaining({ rule: "gate-program-missing" })] },
    });
  });
});
