import type { HooksConfig } from "@quarterdeck/hooks/contract/hook";
import { expect, it } from "vitest";
import { describeDenials } from "./describe-denials.ts";

const on = (...hooks: object[]) => ({ pre_tool_use: [{ matcher: "*", hooks }] }) as HooksConfig; // holds: hooks of a stored policy
const describeHooks = (hooks: HooksConfig) => describeDenials({ hooks, profile: "2026-11" });
const rules = (...all: object[]) => ({ type: "rules", rules: all });
const push = (flag: string) => ({ command: { program: "git", subcommand: "push", flags: [flag] } });

it("names the denied calls, at most three, each once", () => {
  const one = { deny: "no", ...push("force") };
  expect(describeHooks(on(rules(one, one, { ask: "sure?", label: "network" })))).toBe("Denies git push with force.");
  const many = ["a", "b", "c", "d", "e"].map((flag) => ({ deny: "no", ...push(flag) }));
  expect(describeHooks(on(rules(...many)))).toBe(
    "Denies git push with a; git push with b; git push with c; and 2 more.",
  );
});

it("without a denial names the calls that it asks about, else the checks of gates", () => {
  expect(describeHooks(on(rules({ ask: "sure?", tool: "deploy" })))).toBe("Asks a person about calls of deploy.");
  const checks = [
    { type: "command", name: "no deletes", command: "exit 2" },
    { type: "builtin", command: "safer_shell" },
    { type: "model", model: "judge/small", prompt: "?" },
  ];
  expect(describeHooks(on(...checks))).toBe("Runs no deletes; safer_shell; a model check.");
});

it("is null for a policy that can refuse nothing", () => {
  expect(describeHooks({})).toBeNull();
  expect(describeHooks(on(rules({ mark: "seen", kind: "shell" })))).toBeNull();
  const after = { session_end: [{ type: "command", command: "true" }] } as HooksConfig; // holds: as above
  expect(describeHooks(after)).toBeNull();
});

it("cuts a long condition", () => {
  const long = { deny: "no", path: { path: Array.from({ length: 4 }, (_, at) => `/srv/${"x".repeat(60)}${at}`) } };
  const text = describeHooks(on(rules(long)));
  expect(text?.length).toBeLessThan(120);
  expect(text).toMatch(/x…$/);
});
