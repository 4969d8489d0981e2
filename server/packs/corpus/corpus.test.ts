/** The packs for shells against hidden and everyday commands. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { evaluateRules, readCall } from "@quarterdeck/hooks";
import { describe, expect, it, test } from "vitest";
import { readPolicy } from "../../policies/text/source.ts";
import { PACKS } from "../registry.ts";
import { ATTACK_SESSIONS, type SessionCall } from "./attack-sessions.ts";
import { EVASIONS } from "./evasions.ts";
import { HARMLESS } from "./harmless.ts";

const SESSIONS = join(import.meta.dirname, "../../../../shared/data/sessions");
/** Packs whose promise is to ask about new hosts and packages are asked to leave everyday commands alone, not recorded sessions. */
const SHELL_PACKS = ["catastrophe-only", "git-safety", "protected-paths", "database-care", "cloud-clis"] as const;
const ASKING_PACKS = ["package-installs", "network-egress"] as const;

interface Call {
  readonly tool: string;
  readonly input: unknown;
  readonly workingDirectory: string;
}

function verdictOf(pack: string, { tool, input, workingDirectory }: Call): string | null {
  const call = readCall({ tool, input, place: { workingDirectory } });
  const world = { call, agent: "agent", tags: [], secondsSince: () => null, unaccepted: new Set<never>() };
  return evaluateRules(rulesOf(pack), world).decisive?.verdict ?? null;
}

const rulesOfPacks = new Map<string, ReturnType<typeof readRules>>();

function rulesOf(id: string) {
  const rules = rulesOfPacks.get(id) ?? readRules(id);
  rulesOfPacks.set(id, rules);
  return rules;
}

function readRules(id: string) {
  const pack = PACKS.find((one) => one.id === id);
  const entries = readPolicy(pack?.source ?? "").hooks?.pre_tool_use ?? [];
  return entries.flatMap(({ hooks = [] }) => hooks.flatMap(({ rules = [] }) => rules));
}

describe("a dangerous call is stopped however it is written", () => {
  test.each(EVASIONS.map((one) => [one.family, JSON.stringify(one.input).slice(0, 80), one] as const))(
    "%s: %s",
    (_family, _input, { pack, tool, input }) => {
      expect(verdictOf(pack, { tool, input, workingDirectory: "/w" })).toMatch(/^(?:deny|ask)$/);
    },
  );

  it("is tried in twelve families at least", () => {
    expect(new Set(EVASIONS.map(({ family }) => family)).size).toBeGreaterThanOrEqual(12);
  });
});

describe("everyday commands go on", () => {
  it.each([...SHELL_PACKS, ...ASKING_PACKS])("%s", (pack) => {
    const stopped = HARMLESS.filter(
      (command) => verdictOf(pack, { tool: "Bash", input: { command }, workingDirectory: "/w" }) !== null,
    );
    expect(stopped).toEqual([]);
  });
});

it("everyday commands are within the bounds of the reader", () => {
  const beyond = HARMLESS.filter((command) =>
    readCall({ tool: "Bash", input: { command }, place: { workingDirectory: "/w" } }).opaque.some(
      ({ kind }) => kind === "too_long",
    ),
  );
  expect(beyond).toEqual([]);
});

describe.runIf(existsSync(SESSIONS))("calls of the recorded sessions go on", () => {
  const calls: Call[] = existsSync(SESSIONS)
    ? readdirSync(SESSIONS).flatMap((file) =>
        readFileSync(join(SESSIONS, file), "utf8")
          .split("\n")
          .filter((line) => line.includes('"pre_tool_use"'))
          .flatMap((line) => {
            const { event, input } = JSON.parse(line);
            return event === "pre_tool_use"
              ? [{ tool: input.tool_name, input: input.tool_input, workingDirectory: input.cwd }]
              : [];
          }),
      )
    : [];

  it.each(SHELL_PACKS)("%s stops one in a hundred at most, and no catastrophe is seen", (pack) => {
    const stopped = calls.filter((call) => verdictOf(pack, call) !== null);
    expect(calls.length).toBeGreaterThan(800);
    expect(stopped.length).toBeLessThanOrEqual(pack === "catastrophe-only" ? 0 : calls.length / 100);
  });
});

describe("a session's earlier calls decide", () => {
  test.each(ATTACK_SESSIONS.map((one) => [one.says, one] as const))("%s", (_, { calls }) => {
    expect(lastVerdict(calls)).toMatch(/^(?:deny|ask)$/);
    // Alone, the last call goes on: it is the sequence that stops it.
    expect(lastVerdict(calls.slice(-1))).toBeNull();
  });

  function lastVerdict(calls: readonly SessionCall[]): string | null {
    const marks = new Set<string>();
    let verdict: string | null = null;
    for (const { tool, input } of calls) {
      const call = readCall({ tool, input, place: { workingDirectory: "/w" } });
      const unaccepted = new Set<never>();
      const secondsSince = (mark: string) => (marks.has(mark) ? 1 : null);
      const world = { call, agent: "agent", tags: [], secondsSince, unaccepted };
      const { matches, decisive } = evaluateRules(rulesOf("sequences"), world);
      verdict = decisive?.verdict ?? null;
      for (const { mark } of matches) if (mark !== null) marks.add(mark);
    }
    return verdict;
  }
});
