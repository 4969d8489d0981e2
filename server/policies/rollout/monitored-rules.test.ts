/** Rules in monitor mode: what they take from an agent's policy, and what setting and ending it asks for. */
import { beforeEach, describe, expect, it } from "vitest";
import { codeOf, inHours, policyWorkspace } from "../../../e2e/fixtures/policy-workspace.ts";
import { RULE_MONITORS_MAX } from "../assignments/monitored-rule-schema.ts";
import { exportNative } from "../effective/exports.ts";
import { hooksInForce } from "../effective/hooks-in-force.ts";
import { getPolicyHold } from "../effective/policy-hold.ts";
import { NO_CASES } from "../publishing/case-gate.ts";
import { freeze } from "../publishing/freeze.ts";
import { monitorRule } from "../publishing/monitor-rule.ts";
import { publishByName } from "../publishing/publish.ts";

const { scene, newAgent, get, effective, entries, lastEntry } = policyWorkspace();

const TEXT = (first = "exit 2") => `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - { name: no shell, type: command, command: '${first}' }
        - { name: second, type: command, command: 'true' }
    - preempt_yolo: true
      hooks:
        - { name: no shell, type: command, command: 'exit 2' }
  stop:
    - { name: no shell, type: command, command: 'true' }
`;
const world = () => [scene.at.database, scene.bus, scene.admin] as const;
const publishText = async (source: string, name = "p") =>
  (await publishByName(...world(), { name, source, note: "" }, NO_CASES)).policyId;
const monitor = (policyId: string, until: Date | null, hook = "no shell", event = "pre_tool_use") =>
  monitorRule(...world(), { policyId, event, hook, until });

let agent: string;
beforeEach(async () => {
  agent = await newAgent("one");
});

describe("a rule in monitor mode", () => {
  it("has no effect in either lane; the other rules keep theirs, at their places in the text", async () => {
    const id = await publishText(TEXT());
    const before = await effective(agent);
    const until = inHours(1);
    await monitor(id, until);
    const { members, observed, revision, changesAtMs } = await effective(agent);
    const [member] = members;
    expect(member?.hooks).toMatchObject({
      pre_tool_use: [{ matcher: "shell", hooks: [{ name: "second" }] }],
      stop: [{ name: "no shell" }],
    });
    expect(member?.text).toEqual(before.members[0]?.hooks);
    const paths = ["hooks.pre_tool_use[0].hooks[0]", "hooks.pre_tool_use[1].hooks[0]"];
    expect([...(member?.leftOut ?? [])]).toEqual(paths);
    expect(member?.monitored).toEqual(paths.map((path) => ({ path, until: until.toISOString() })));
    expect(observed.map(({ rule, leftOut }) => [rule, [...leftOut].sort()])).toEqual([
      [{ event: "pre_tool_use", hook: "no shell" }, ["hooks.pre_tool_use[0].hooks[1]", "hooks.stop[0]"]],
    ]);
    expect([revision === before.revision, changesAtMs]).toEqual([false, until.getTime()]);
    expect((await get(id)).monitored).toMatchObject([{ event: "pre_tool_use", hook: "no shell", until, by: "Ada" }]);
    const inForce = await hooksInForce(scene.at.database, scene.admin.workspaceId);
    expect(inForce.map(({ event, name, monitoredUntil }) => [event, name, monitoredUntil]).sort()).toEqual([
      ["pre_tool_use", "no shell", until],
      ["pre_tool_use", "no shell", until],
      ["pre_tool_use", "second", null],
      ["stop", "no shell", null],
    ]);
  });

  it("is monitored in every revision that has it, and another end is another set", async () => {
    const id = await publishText(TEXT());
    await monitor(id, inHours(1));
    const first = (await effective(agent)).revision;
    await monitor(id, inHours(2));
    const second = (await effective(agent)).revision;
    await publishText(TEXT("exit 3"));
    const { members, revision } = await effective(agent);
    expect(new Set([first, second, revision]).size).toBe(3);
    expect(members[0]?.monitored).toHaveLength(2);
  });

  it("is enforced again at its end, and by a person before", async () => {
    const id = await publishText(TEXT());
    const before = (await effective(agent)).revision;
    await monitor(id, inHours(1));
    await monitor(id, null);
    const after = await effective(agent);
    expect([after.revision, after.observed, after.changesAtMs]).toEqual([before, [], null]);
    expect(await lastEntry()).toMatchObject({ kind: "rule_monitored", rule: "no shell", until: null });
    await monitor(id, inHours(1));
    await scene.at.owner.query(
      "UPDATE rule_monitor SET since = now() - interval '2 h', until = now() - interval '1 h'",
    );
    expect([(await effective(agent)).revision, (await get(id)).monitored]).toEqual([before, []]);
  });

  it("is left out of a file for docker-agent, which says so", async () => {
    const id = await publishText(TEXT());
    await monitor(id, inHours(1));
    for (const of of [{ policy: "p" }, { agent: "one" }]) {
      const { yaml } = await exportNative(scene.at.database, scene.admin.workspaceId, { of });
      expect(yaml).toMatch(/# Left out: "no shell" on pre_tool_use, which is only monitored until/);
      expect(yaml).not.toMatch(/exit 2/);
    }
  });

  it("holds no agent: a policy with no other gate says that it has none", async () => {
    const id = await publishText(
      "hooks:\n  pre_tool_use:\n    - hooks: [{ name: only, type: command, command: exit 2 }]\n",
    );
    const hold = () => getPolicyHold(scene.at.database, scene.admin.workspaceId, id);
    expect((await hold()).hasGate).toBe(true);
    await monitor(id, inHours(1), "only");
    expect((await hold()).hasGate).toBe(false);
  });

  it("keeps a part that cannot be read denying, whatever its name is", async () => {
    const id = await publishText(TEXT());
    await monitor(id, inHours(1));
    await scene.at.owner.query(
      `UPDATE policy_revision SET hooks = '{"pre_tool_use":[{"hooks":[{"name":"no shell","type":"command","command":7}]}]}'`,
    );
    const { members, observed } = await effective(agent);
    expect([members[0]?.monitored, observed]).toEqual([[], []]);
    expect(JSON.stringify(members[0]?.hooks)).toContain("unreadable");
  });
});

describe("setting it", () => {
  it("needs an end within 30 days and a rule in force, and is recorded", async () => {
    const id = await publishText(TEXT());
    for (const until of [inHours(-1), inHours(31 * 24)]) expect(await codeOf(monitor(id, until))).toBe("invalid_input");
    expect(await codeOf(monitor(id, inHours(1), "no such"))).toBe("invalid_input");
    expect(await codeOf(monitor(id, inHours(1), "second", "stop"))).toBe("invalid_input");
    const until = inHours(1);
    await monitor(id, until);
    expect(await lastEntry()).toMatchObject({
      ...{ kind: "rule_monitored", policy: id, event: "pre_tool_use", rule: "no shell", until: until.toISOString() },
    });
  });

  it("is refused in a freeze, also its end", async () => {
    const id = await publishText(TEXT());
    await monitor(id, inHours(1));
    await freeze(...world(), { reason: "release" });
    const recorded = (await entries()).length;
    for (const until of [inHours(2), null]) expect(await codeOf(monitor(id, until))).toBe("workspace_frozen");
    expect(await entries()).toHaveLength(recorded);
  });

  it("is limited for each policy", async () => {
    const names = Array.from({ length: RULE_MONITORS_MAX + 1 }, (_, n) => `rule ${n}`);
    const hooks = names.map((name) => `    - { name: ${name}, type: command, command: 'true' }`).join("\n");
    const id = await publishText(`hooks:\n  stop:\n${hooks}\n`);
    for (const name of names.slice(1)) await monitor(id, inHours(1), name, "stop");
    expect(await codeOf(monitor(id, inHours(1), names[0], "stop"))).toBe("invalid_input");
    await monitor(id, inHours(2), names[1], "stop");
  });
});
