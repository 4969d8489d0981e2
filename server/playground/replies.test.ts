import { createExecutor, evaluatorKind, systemClock } from "@quarterdeck/hooks";
import { readPolicyText } from "@quarterdeck/hooks/contract/text/policy-text";
import { expect, it } from "vitest";
import { storedClients } from "./replies.ts";
import type { JudgeReply } from "./schema.ts";

const POLICY = `profile: "2026-11"
evaluators:
  risk: { provider: typesafe, model: m, type: boolean, instructions: Is it risky? }
hooks:
  tool_guard:
    - matcher: "*"
      hooks:
        - type: evaluator
          name: guard
          evaluator: risk
          evaluator_policy: { decisions: { "true": deny, "false": allow }, min_probability: 0.8, fallback: ask }
`;

async function decided(replies: readonly JudgeReply[]) {
  const unasked: string[] = [];
  const { hooks } = readPolicyText(POLICY, { builtins: [], models: true, evaluators: true });
  const { evaluators } = storedClients(replies, (path) => void unasked.push(path));
  const kinds = [evaluatorKind(evaluators)];
  const world = { clock: systemClock, env: {}, workingDir: "/" };
  const executor = createExecutor({ config: hooks ?? {}, profile: "2026-11", kinds, ...world });
  const { result } = await executor.dispatch({ event: "tool_guard", input: { tool_name: "shell", tool_input: {} } });
  return { decision: result.decision, allowed: result.allowed, message: result.message, unasked };
}

it("plays back the recorded reply of an evaluator", async () => {
  const reply = JSON.stringify({ type: "boolean", probability: 0.97 });
  expect(await decided([{ hook: "guard", reply }])).toMatchObject({ decision: "deny", unasked: [] });
});

it.each<[JudgeReply, string]>([
  [{ hook: "guard", reply: "yes" }, "no answer of an evaluator"],
  [{ hook: "guard", reply: '{"probability":"high"}' }, "no answer of an evaluator"],
  [{ hook: "guard", fails: "timeout" }, "the case says that it fails: timeout"],
])("denies for %j", async (stored, message) => {
  const { allowed, message: said } = await decided([stored]);
  expect(allowed).toBe(false);
  expect(said).toContain(message);
});

it("asks nobody for a hook without a reply, and says which", async () => {
  expect(await decided([])).toMatchObject({ allowed: false, unasked: ["hooks.tool_guard[0].hooks[0]"] });
});
