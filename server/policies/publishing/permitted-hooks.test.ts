import { expect, it } from "vitest";
import type { Administrator } from "../../access/actor.ts";
import { AppError } from "../../errors/app-error.ts";
import { readPolicy } from "../text/source.ts";
import { type HooksToRun, permitPlayground, permitPublication } from "./permitted-hooks.ts";

const actor = (role: "viewer" | "approver" | "author" | "admin"): Administrator => ({
  ...{ kind: "person", role, workspaceId: "w", id: role, name: role },
});
const text = (hook: string) => `hooks:\n  session_start:\n    - { ${hook} }\n`;
const TEXTS = {
  builtin: text("type: builtin, command: add_date"),
  command: text('type: command, command: "true"'),
  "command beside the agent": text('type: command, command: "true", run_on: agent'),
  "command with the network": text('type: command, command: "true", network: true'),
};
const hooksOf = (source: string): HooksToRun => {
  const { hooks, profile, problems } = readPolicy(source);
  if (!hooks) throw new Error(JSON.stringify(problems));
  return { sources: [{ origin: {}, hooks }], profile };
};
const outcome = (work: () => unknown): string => {
  try {
    work();
    return "permitted";
  } catch (error) {
    return error instanceof AppError ? `${error.code} ${error.detail}` : String(error);
  }
};
const trials = (role: Parameters<typeof actor>[0], isContained: boolean) =>
  Object.entries(TEXTS).map(([title, source]) => [
    title,
    outcome(() => permitPlayground(actor(role), hooksOf(source), isContained)),
  ]);
const COMMANDS = "forbidden policy:publish-commands";

it("an author tries commands in a sandbox only, and none with the network", () => {
  expect(trials("author", true)).toEqual([
    ["builtin", "permitted"],
    ["command", "permitted"],
    ["command beside the agent", "permitted"],
    ["command with the network", COMMANDS],
  ]);
  expect(trials("author", false).map(([, said]) => said)).toEqual(["permitted", COMMANDS, COMMANDS, COMMANDS]);
});

it("who may publish commands may try them, and who writes no policy tries nothing", () => {
  for (const isContained of [true, false]) {
    expect(new Set(trials("admin", isContained).map(([, said]) => said))).toEqual(new Set(["permitted"]));
    for (const role of ["viewer", "approver"] as const)
      expect(new Set(trials(role, isContained).map(([, said]) => said))).toEqual(new Set(["forbidden policy:write"]));
  }
});

it("hooks that are left out need no permission", () => {
  const asked = { ...hooksOf(TEXTS["command with the network"]), isLeftOut: () => true };
  expect(outcome(() => permitPlayground(actor("author"), asked, false))).toBe("permitted");
});

it("an author publishes no command, wherever it would run", () => {
  const published = (role: "author" | "admin") =>
    Object.values(TEXTS).map((source) => {
      const { hooks, profile } = readPolicy(source);
      return outcome(() => permitPublication(actor(role), { name: "p", source, hooks: hooks ?? {}, profile }));
    });
  expect(published("author")).toEqual(["permitted", COMMANDS, COMMANDS, COMMANDS]);
  expect(new Set(published("admin"))).toEqual(new Set(["permitted"]));
});
