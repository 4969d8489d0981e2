import { everyHook } from "@quarterdeck/hooks";
import { ruleOf } from "@quarterdeck/hooks/contract/identity";
import { expect, it } from "vitest";
import type { PastException } from "../exceptions/index.ts";
import { sha256 } from "../platform/secrets.ts";
import * as policies from "../policies/index.ts";
import type { ReplayMember } from "./replay-hooks.ts";
import type { ReplayRow } from "./replay-row.ts";
import type { ReplaySetup } from "./replay-run.ts";
import { replay } from "./replay-tasks.ts";

const AGENT = "00000000-0000-4000-8000-000000000001";
const DENY_RM = "{command: {program: rm}, deny: no deletes}";
const DENY_GIT = "{command: {program: git}, deny: no git}";
const ASK_GIT = "{command: {program: git}, ask: a person decides}";
const DENY_MASK = '{command: {argument: ["*REDACTED*"]}, deny: no masks}';
const MASKING = "{name: mask, type: builtin, command: redact_secrets}";
const SECRET = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB";

const rulesHook = (name: string, ...rules: readonly string[]) =>
  `{name: ${name}, type: rules, rules: [${rules.join(", ")}]}`;

function member(policyId: string, ...hooks: readonly string[]): ReplayMember {
  const list = hooks.map((hook) => `        - ${hook}\n`).join("");
  const read = policies.readPolicy(
    `profile: 2026-11\nhooks:\n  pre_tool_use:\n    - matcher: shell\n      hooks:\n${list}`,
  );
  if (!read.hooks) throw new Error(JSON.stringify(read.problems));
  return { policyId, policy: policyId, number: 1, profile: "2026-11", hooks: read.hooks };
}

const row = (cmd: string): ReplayRow => ({
  ...{ id: crypto.randomUUID(), atMs: Date.now(), agentId: AGENT, agentName: "one", sessionId: "s", marks: {} },
  ...{ event: "pre_tool_use", lane: "default", tool_name: "shell", has_early: false, asks_early: false },
  input: JSON.stringify({ session_id: "s", tool_name: "shell", tool_input: { cmd } }),
});

let runs = 0;
async function replayed(
  inForce: readonly ReplayMember[],
  candidate: readonly ReplayMember[],
  commands: readonly string[],
  more: Partial<ReplaySetup> = {},
) {
  const setup: ReplaySetup = {
    ...{ key: `run ${++runs}`, exceptions: [], changedMarks: [], marksFromMs: 0 },
    sets: { inForce: { profile: "2026-11", members: inForce }, candidate: { profile: "2026-11", members: candidate } },
    agents: { [AGENT]: { name: "one", tags: [], inForce: "inForce", candidate: "candidate" } },
    ...more,
  };
  const { tally, flips } = await replay({ setup, rows: commands.map(row) });
  return { tally, ends: flips.map(({ family, from, to, isLooser }) => `${family} ${from} ${to} ${isLooser}`) };
}

it("finds a changed rule among unchanged rules, and counts only what the changed rule stops", async () => {
  const others = member("others", rulesHook("others", "{command: {program: curl}, ask: the network}"));
  const { tally, ends } = await replayed(
    [member("guard", rulesHook("shell rules", DENY_RM, ASK_GIT)), others],
    [member("guard", rulesHook("shell rules", DENY_RM, DENY_GIT)), others],
    ["rm -r build", "git push", "curl example.org", "ls"],
  );
  expect(ends).toEqual(["git push ask deny false"]);
  expect(tally).toMatchObject({ unchanged: 3, stricter: 1, looser: 0 });
  expect(tally.newRules).toEqual({ "guard: shell rules": { caught: 1, agents: { one: 1 } } });
});

it("runs every hook if the shared hooks are in another order", async () => {
  const [rules, mask] = [rulesHook("masks", DENY_MASK), MASKING];
  const { ends } = await replayed(
    [member("guard", rules, mask)],
    [member("guard", mask, rules)],
    [`echo ${SECRET}`, "ls"],
  );
  expect(ends).toEqual(["echo none deny false"]);
});

it("a changed hook sees the input that a shared hook rewrites", async () => {
  const { tally, ends } = await replayed(
    [member("guard", MASKING)],
    [member("guard", MASKING, rulesHook("masks", DENY_MASK))],
    [`echo ${SECRET}`, "echo plain"],
  );
  expect(ends).toEqual(["echo none deny false"]);
  expect(tally.unchanged).toBe(1);
});

it("runs every hook if an exception was in force, because it names the hook with all of its rules", async () => {
  const inForce = member("guard", rulesHook("rules", DENY_RM, ASK_GIT));
  const [hook] = everyHook(inForce.hooks).map((placed) => placed.hook);
  if (!hook) throw new Error("the policy has no hook");
  const rule = ruleOf({ event: "pre_tool_use", lane: "default", matcher: "shell", hook });
  const exception: PastException = {
    ...{ id: crypto.randomUUID(), lifts: "verdict", scope: "agent", agentId: AGENT, sessionId: null, members: [] },
    ...{ toolName: "shell", inputSha256: null, command: ["rm", "x"], ownAgents: [] },
    ...{ fromMs: 0, untilMs: Date.now() + 60_000 },
    rules: [{ policyId: "guard", policy: "guard", revision: 1, path: "", sha256: sha256(rule).toString("hex") }],
  };
  const more = { exceptions: [exception] };
  const { ends } = await replayed(
    [inForce],
    [member("guard", rulesHook("rules", DENY_RM, DENY_GIT))],
    ["rm x", "ls"],
    more,
  );
  expect(ends).toEqual(["rm none deny false"]);
});

it("a failing changed hook is no silent one", async () => {
  const judge = "{name: judge, type: model, model: a/b, schema: pre_tool_use_decision, prompt: is this right}";
  const { tally } = await replayed(
    [member("guard", rulesHook("rules", DENY_RM))],
    [member("guard", rulesHook("rules", DENY_RM), judge)],
    ["rm x", "ls"],
  );
  expect(tally).toMatchObject({ unchanged: 1, unknown: { judge: 1 } });
});
