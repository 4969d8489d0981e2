import { describe, expect, it } from "vitest";
import { readPolicyText } from "../text/policy-text.ts";
import { CODEX, QWEN } from "./example-clients.ts";
import { listGateWaits } from "./gate-waits.ts";
import { lintHooks } from "./lint.ts";
import { lintedPolicy } from "./policy.ts";

const equipment = { builtins: [], models: true };
const CLIENTS = [CODEX, QWEN];
const policyOf = (source: string, profile = "2026-08") =>
  readPolicyText(`profile: "${profile}"\nhooks:\n${source}`, equipment);

const waitsOf = (source: string, { profile = "2026-08", clients = CLIENTS } = {}) => {
  const text = policyOf(source, profile);
  return listGateWaits(lintedPolicy(text.hooks ?? {}, text.profile, { tools: [], clients }));
};

const limited = (seconds: number, more = "") => `{type: command, command: ./check.sh, timeout: ${seconds}${more}}`;
const entry = (matcher: string, hooks: readonly string[], more = "") =>
  `    - matcher: "${matcher}"\n${more}      hooks:\n${hooks.map((one) => `        - ${one}\n`).join("")}`;

describe("the time that a gate may take", () => {
  it("is the sum where hooks see each other's rewrites, and the longest elsewhere", () => {
    const source = `  pre_tool_use:\n${entry("*", [limited(40), limited(30)])}`;
    expect(waitsOf(source)).toMatchObject([{ event: "pre_tool_use", seconds: 70 }]);
    expect(waitsOf(source, { profile: "2026-07" })).toMatchObject([{ seconds: 40 }]);
  });

  it("adds up over the gates that one call passes", () => {
    const early = entry("*", [limited(20), limited(10)], "      preempt_yolo: true\n");
    const source = `  tool_guard:\n${entry("*", [limited(15)])}  pre_tool_use:\n${early}${entry("*", [limited(30)])}`;
    const [wait] = waitsOf(source);
    expect(wait?.steps.map(({ seconds }) => seconds)).toEqual([15, 20, 30]);
    expect(wait?.seconds).toBe(65);
  });

  it("counts only hooks that can run for the same call", () => {
    const source = `  pre_tool_use:\n${entry("shell", [limited(90)])}${entry("edit_file", [limited(90)])}${entry("*", [limited(5)])}`;
    expect(waitsOf(source)).toMatchObject([{ seconds: 95 }]);
  });

  it("counts no unwritten limit, no rules and nothing on the agent's machine", () => {
    const rules = "{type: rules, timeout: 300, rules: [{deny: no}]}";
    const hooks = ["{type: command, command: ./check.sh}", rules, limited(300, ", run_on: agent")];
    expect(waitsOf(`  pre_tool_use:\n${entry("*", hooks)}`)).toEqual([]);
  });

  it("is held against each client's own time, and against the snippet's where no client is known", () => {
    const source = `  pre_tool_use:\n${entry("*", [limited(60)])}`;
    const both = [
      { client: "Qwen Code", seconds: 50 },
      { client: "Codex", seconds: 110 },
    ];
    expect(waitsOf(source)).toMatchObject([{ clients: both }]);
    expect(waitsOf(source, { clients: [] })).toMatchObject([{ clients: [{ seconds: 110 }] }]);
    // Qwen Code sends no such event.
    expect(waitsOf(`  user_prompt_submit:\n    - ${limited(5)}\n`)).toMatchObject([{ clients: [{ client: "Codex" }] }]);
    expect(waitsOf(`  before_llm_call:\n    - ${limited(5)}\n`)).toEqual([]);
  });
});

it("a gate that takes too long is an error at its longest limit, with the clients and a limit that fits", () => {
  const text = policyOf(`  pre_tool_use:\n${entry("*", [limited(40, ", name: scan"), limited(20, ", name: ask")])}`);
  const found = lintHooks(text.hooks ?? {}, text.profile, { tools: [], clients: CLIENTS });
  const finding = found.find(({ rule }) => rule === "gate-longer-than-caller");
  expect(finding?.severity).toBe("error");
  expect(finding?.segments).toEqual(["hooks", "pre_tool_use", 0, "hooks", 0, "timeout"]);
  expect(finding?.message).toContain(
    '40 s for "scan" and 20 s for "ask" add up to 60 s, but Qwen Code waits 50 s on pre_tool_use',
  );
  expect(finding?.repair).toMatchObject({ kind: "set", value: 25 });
});
