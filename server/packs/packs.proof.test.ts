import {
  builtinKind,
  commandKind,
  createExecutor,
  explainDispatch,
  type HooksConfig,
  modelKind,
  PROFILES,
  type Profile,
  type Result,
  rulesKind,
  type Spawner,
  serverBuiltins,
  startSpawner,
  systemClock,
} from "@quarterdeck/hooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkPolicy, readPolicy } from "../policies/text/source.ts";
import type { PackCase } from "./cases/case.ts";
import { OTHER_CASES } from "./cases/others.ts";
import { SHELL_CASES } from "./cases/shells.ts";
import type { Pack } from "./pack.ts";
import { PACKS } from "./registry.ts";
import { packActs } from "./schema.ts";

const CASES: Readonly<Record<string, readonly PackCase[]>> = { ...SHELL_CASES, ...OTHER_CASES };

let spawner: Spawner;
beforeAll(async () => {
  spawner = await startSpawner({ sandbox: "auto" });
});
afterAll(() => spawner.close());

function hooksOf(pack: Pack): HooksConfig {
  const { hooks, problems } = readPolicy(pack.source);
  expect(problems).toEqual([]);
  if (!hooks) throw new Error("unreachable: there were no problems");
  return hooks;
}

function executorOf(pack: Pack, profile: Profile, reply: string, path = "/usr/bin:/bin") {
  const client = { ask: async () => ({ text: reply }) };
  const commands = commandKind(spawner, { place: "isolated" });
  const kinds = [commands, builtinKind(serverBuiltins()), modelKind(client), rulesKind()];
  const env = { PATH: path, SHELL: "/bin/sh" };
  return createExecutor({ config: hooksOf(pack), profile, kinds, clock: systemClock, env, workingDir: "/" });
}

const verdictOf = (result: Result) => (!result.allowed ? "deny" : result.decision === "ask" ? "ask" : "pass");

describe.each(PACKS.map((pack) => [pack.id, pack] as const))("%s", (id, pack) => {
  it("can be published, and the linter has no warning about it", () => {
    hooksOf(pack);
    const { findings } = checkPolicy(pack.source);
    expect(findings.filter(({ severity }) => severity === "warning")).toEqual([]);
    expect(pack.source.length).toBeLessThan(20_000);
  });

  it("has at least six cases", () => expect(CASES[id]?.length ?? 0).toBeGreaterThanOrEqual(6));

  it.each(PROFILES)(
    "does in %s what its cases say",
    async (profile) => {
      const wrong: string[] = [];
      for (const one of CASES[id] ?? []) {
        const { event, lane, input } = one;
        const report = await executorOf(pack, profile, one.reply ?? "").dispatch({ event, lane, input });
        const { result } = report;
        const said = JSON.stringify({ ...result, explained: explainDispatch(report) });
        if (verdictOf(result) !== one.expect || !said.includes(one.contains ?? "")) wrong.push(`${one.says}: ${said}`);
      }
      expect(wrong).toEqual([]);
    },
    60_000,
  );
});

it("every pack has words for a person and an id of its own", () => {
  expect(new Set(PACKS.map(({ id }) => id)).size).toBe(PACKS.length);
  expect(PACKS.length).toBeGreaterThanOrEqual(12);
  expect(Object.keys(CASES).sort()).toEqual(PACKS.map(({ id }) => id).sort());
  for (const pack of PACKS) for (const text of [pack.promise, pack.passes, pack.limits]) expect(text).toMatch(/\.$/);
});

it("a pack that only changes what passes says so, and one without any act says nothing of each", () => {
  const actsOf = (id: string) => PACKS.filter((pack) => pack.id === id).flatMap(packActs);
  expect(actsOf("secrets-out")).toEqual([{ label: "Changes", says: expect.stringContaining("[REDACTED]") }]);
  expect(actsOf("budget-guard").map(({ label }) => label)).toEqual(["Denies", "Changes"]);
  expect(actsOf("audit-everything").map(({ says }) => says)).toEqual(["nothing.", "nothing."]);
});

describe.each(PROFILES)("on a machine without any program, in %s", (profile) => {
  const dispatched = async (cmd: string) => {
    const pack = PACKS.find(({ id }) => id === "catastrophe-only");
    if (!pack) throw new Error("there is such a pack");
    return executorOf(pack, profile, "", "/nowhere").dispatch({
      event: "pre_tool_use",
      lane: "preempt_yolo",
      input: { tool_name: "shell", tool_input: { cmd } },
    });
  };

  it("rules deny what they denied, and let the rest pass", async () => {
    const [denied, passed] = [await dispatched("rm -rf /"), await dispatched("ls")];
    expect(denied.result.allowed, explainDispatch(denied)).toBe(false);
    expect(passed.result.allowed, explainDispatch(passed)).toBe(true);
  });
});
