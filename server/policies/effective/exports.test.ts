/** Exports for a release of docker-agent: the release that is asked for or reported, and no text where a gate would be lost. */
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { policyWorkspace } from "../../../e2e/fixtures/policy-workspace.ts";
import { AppError } from "../../errors/app-error.ts";
import { NO_CASES } from "../publishing/case-gate.ts";
import { publishByName } from "../publishing/publish.ts";
import { exportAgent, exportNative } from "./exports.ts";

const { scene, newAgent } = policyWorkspace();

const publish = (name: string, source: string) =>
  publishByName(scene.at.database, scene.bus, scene.admin, { name, source, note: "" }, NO_CASES);
const native = (of: { agent: string } | { policy: string }, release?: string) =>
  exportNative(scene.at.database, scene.admin.workspaceId, { of, ...(release !== undefined && { release }) });
const file = (name: string, release?: string) => exportAgent(scene.at.database, scene.admin.workspaceId, name, release);
const report = (client: string, version: string) =>
  scene.at.database.pool.query("UPDATE agent SET client = $2, client_version = $3 WHERE workspace_id = $1", [
    scene.admin.workspaceId,
    client,
    version,
  ]);
const refusal = async (work: Promise<unknown>): Promise<AppError> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error("nothing was refused");
  return error;
};

const SHELL_GATE = `hooks:
  pre_tool_use:
    - matcher: shell
      preempt_yolo: true
      hooks:
        - { name: ask first, type: builtin, command: safer_shell }
`;
const GUARD = `profile: "2026-08"
hooks:
  tool_guard:
    - hooks:
        - { name: no pipes, type: command, command: "exit 2", run_on: agent }
  turn_end:
    - { name: count, type: command, command: "true", strict_output: true }
`;

describe("an old policy with safer_shell", () => {
  it("is refused for a current docker-agent, with the gate, the reason and the next step", async () => {
    await newAgent("root");
    await publish("shell", SHELL_GATE);
    const { code, message } = await refusal(file("root"));
    expect(code).toBe("export_loses_gates");
    expect(message).toBe(
      'Nothing was exported for docker-agent 1.147 and later, because the policy would lose a gate there. "ask first" on pre_tool_use: docker-agent 1.147 and later only labels commands with safer_shell and asks nobody, so this gate would be gone. Put a gate on tool_guard: a hook with rules, a command or a judge. Then take safer_shell out of the policy.',
    );
    for (const of of [{ agent: "root" }, { policy: "shell" }])
      expect(await native(of)).toMatchObject({
        release: "1.147",
        chosenBy: "default",
        yaml: null,
        lost: [{ hook: "ask first", event: "pre_tool_use" }],
      });
  });

  it("is refused also where another policy of the agent follows the newest profile", async () => {
    await newAgent("root");
    await publish("shell", SHELL_GATE);
    await publish("new", GUARD.replace("2026-08", "2026-11"));
    expect((await native({ agent: "root" })).lost).toMatchObject([{ hook: "ask first", event: "pre_tool_use" }]);
  });

  it("is exported for a docker-agent on which it asks", async () => {
    await newAgent("root");
    await publish("shell", SHELL_GATE);
    const yaml = await file("root", "v1.100.3");
    expect(yaml).toContain("# For docker-agent 1.100 to 1.107\n");
    expect(parse(yaml)).toEqual({ agents: { root: { hooks: parse(SHELL_GATE).hooks } } });
    await report("docker-agent", "1.104.0");
    expect(await native({ agent: "root" })).toMatchObject({
      release: "1.100",
      chosenBy: "agent",
      agentVersion: "1.104.0",
      lost: [],
    });
    expect((await refusal(file("root", "1.147"))).code).toBe("export_loses_gates");
  });
});

describe("the release", () => {
  it("is the one that the agent reported, and only a docker-agent's", async () => {
    await newAgent("root");
    await publish("guard", GUARD);
    await report("docker-agent", "1.130.1");
    const { code, message } = await refusal(file("root"));
    expect([code, message]).toEqual([
      "export_loses_gates",
      expect.stringMatching(
        /"no pipes" on tool_guard: docker-agent 1\.108 to 1\.137 does not know the event tool_guard\. Export for docker-agent 1\.138 or later/,
      ),
    ]);
    await report("codex", "0.130.1");
    expect(await native({ agent: "root" })).toMatchObject({
      release: "1.147",
      chosenBy: "default",
      agentVersion: null,
    });
  });

  it("of an agent that is older than every known one is the oldest, and the text says so", async () => {
    await newAgent("root");
    await publish("shell", SHELL_GATE);
    await report("docker-agent", "1.60.0");
    expect(await file("root")).toContain("# Note: The agent reported docker-agent 1.60.0, which is older than 1.100.");
  });

  it.each(["1.99", "0.4", "9.1", "latest", "1"])("%s is refused with the known ones", async (release) => {
    await newAgent("root");
    const { code, message } = await refusal(file("root", release));
    expect([code, message]).toEqual([
      "invalid_input",
      `"${release}" is no known release of docker-agent. Known: 1.100 to 1.107, 1.108 to 1.137, 1.138 to 1.146, 1.147 and later.`,
    ]);
    expect((await refusal(native({ policy: "none" }, release))).code).toBe("invalid_input");
  });
});

it("a part that is no gate is left out, and named in the answer and in the text", async () => {
  await newAgent("root");
  await publish("count", GUARD.replace(/ {2}tool_guard:[\s\S]*? {2}turn_end/, "  turn_end"));
  const found = await native({ policy: "count" }, "1.100");
  expect(found.leftOut).toEqual([
    {
      hook: "count",
      event: "turn_end",
      reason: "The key strict_output is left out: docker-agent 1.100 to 1.107 does not know the key strict_output.",
    },
  ]);
  expect(found.yaml).toContain(
    '# Left out: "count" on turn_end. The key strict_output is left out: docker-agent 1.100 to 1.107',
  );
  expect(parse(found.yaml ?? "")).toEqual({
    hooks: { turn_end: [{ name: "count", type: "command", command: "true" }] },
  });
});

it("an unknown agent, policy or an unpublished policy is refused", async () => {
  expect((await refusal(native({ agent: "nobody" }))).code).toBe("agent_not_found");
  expect((await refusal(native({ policy: "nothing" }))).code).toBe("policy_not_found");
});
