import { expect, it } from "vitest";
import { checkPrograms } from "./check-programs.ts";
import type { Policy } from "./policy.ts";

const policyWith = (event: string, command: string, run_on: "agent" | "server" = "agent"): Policy => ({
  ...{ version: 2, agent: "a", revision: "r", profile: "2026-08" },
  sources: [
    { policy: "guard", revision: 3, hooks: { [event]: [{ name: "checked", type: "command", command, run_on }] } },
  ],
});
const check = (policy: Policy) => checkPrograms(policy, { env: { PATH: process.env.PATH }, workingDir: "/" });

it("a program that a gate of this machine lacks is an error", async () => {
  const { code, stdout } = await check(policyWith("user_prompt_submit", "grep -q x && absent-program y"));
  expect(code).toBe(1);
  expect(stdout).toContain(
    "error: guard revision 3, user_prompt_submit, checked: absent-program is not on this machine.",
  );
  expect(stdout).not.toContain("grep is not");
});

it.each([
  ["warning: ", policyWith("session_end", "absent-program")],
  ["unknown: ", policyWith("user_prompt_submit", "$CHECKER")],
  ["0 command hooks run on this machine.", policyWith("user_prompt_submit", "absent-program", "server")],
  ["1 command hook runs on this machine.\n", policyWith("user_prompt_submit", "grep -q x; exit 0")],
])("says %s of other gaps, and ends with 0", async (says, policy) => {
  const { code, stdout } = await check(policy);
  expect([code, stdout]).toEqual([0, expect.stringContaining(says)]);
});
