import { describe, expect, it } from "vitest";
import { BUILTIN_NAMES, BUILTINS, describeProblem, type HooksConfig, publishProblems, runsOn } from "./config.ts";
import { contractOf } from "./events.ts";

const builtin = (command: string, run_on?: "server" | "agent") => ({
  type: "builtin",
  command,
  ...(run_on && { run_on }),
});
const has = { builtins: BUILTIN_NAMES, models: true };
const problems = (hooks: HooksConfig) => publishProblems(hooks, has).map(describeProblem);

describe("where a hook runs", () => {
  it("leaves command hooks on the server unless they ask for the agent, and models always", () => {
    expect(runsOn({ type: "command", command: "true" })).toBe("server");
    expect(runsOn({ type: "command", command: "true", run_on: "agent" })).toBe("agent");
    expect(runsOn({ type: "model", model: "a/b", prompt: "p" })).toBe("server");
  });

  it("puts a builtin at its own place, and elsewhere only where it can run", () => {
    for (const name of BUILTIN_NAMES) {
      const places: readonly string[] = BUILTINS[name].places;
      expect(runsOn(builtin(name))).toBe(places[0]);
      for (const place of ["server", "agent"] as const) {
        expect(runsOn(builtin(name, place))).toBe(places.includes(place) ? place : places[0]);
      }
    }
  });

  it("never puts on the server what needs the agent's files, its network or the people at it", () => {
    const server = BUILTIN_NAMES.filter((name) => (BUILTINS[name].places as readonly string[]).includes("server"));
    expect(server).toEqual([
      "add_context",
      "transform_json",
      "add_date",
      "max_iterations",
      "budget_guard",
      "ask_a_person",
      "repeat_guard",
      "redact_secrets",
      "safer_shell",
      "http_post",
    ]);
  });
});

describe("publishing", () => {
  it("refuses a builtin placed where it cannot run, and says why and what to write", () => {
    expect(problems({ turn_start: [builtin("add_git_status", "server")] })).toEqual([
      "hooks.turn_start[0]: add_git_status cannot run on the server: it runs git in the agent's directory. " +
        "Leave run_on out, or write run_on: agent",
    ]);
    for (const name of BUILTIN_NAMES.filter((one) => "needsAgent" in BUILTINS[one])) {
      expect(problems({ turn_start: [builtin(name, "server")] })).toHaveLength(1);
      expect(problems({ turn_start: [builtin(name, "agent")] })).toEqual([]);
    }
  });

  it("takes every known builtin on every event, however unusual", () => {
    for (const name of BUILTIN_NAMES.filter((one) => one !== "repeat_guard")) {
      expect(problems({ on_error: [builtin(name)], pre_tool_use: [{ hooks: [builtin(name)] }] })).toEqual([]);
    }
  });

  it("refuses runaway rules that nobody can read, and says what to write", () => {
    const guard = (...args: string[]) =>
      problems({ pre_tool_use: [{ hooks: [{ ...builtin("repeat_guard"), args }] }] });
    expect(guard("same call 5 in 10m: ask", "new tool: alarm")).toEqual([]);
    expect(guard()[0]).toContain('repeat_guard has no rule: write "same call 5 in 10m: ask"');
    expect(guard("same call five: ask")[0]).toContain('repeat_guard does not understand "same call five: ask"');
  });

  it("names the builtin that was probably meant", () => {
    expect(problems({ stop: [builtin("add_datte")] })[0]).toContain(
      'no builtin called "add_datte" (did you mean "add_date"?)',
    );
    expect(problems({ stop: [builtin("toString")] })[0]).toContain('no builtin called "toString"');
  });
});

it("the table names only events that exist", () => {
  for (const name of BUILTIN_NAMES) {
    for (const event of BUILTINS[name].madeFor) expect(contractOf(event, "2026-07")).toBeDefined();
  }
});
