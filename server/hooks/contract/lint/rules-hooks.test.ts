/** Hooks of type `rules` under the linter: rules of their own, and the rules that were made for other types. */
import { describe, expect, it } from "vitest";
import { BUILTIN_NAMES } from "../builtins.ts";
import type { ClientKnown } from "../client-known.ts";
import { checkText } from "../text/check.ts";
import { CODEX } from "./example-clients.ts";

const equipment = { builtins: BUILTIN_NAMES, models: true };
const findings = (policy: string, clients: readonly ClientKnown[] = []) =>
  checkText(policy, { equipment, tools: [], judges: [], clients }).findings;
interface Shape {
  readonly matcher?: string;
  readonly event?: string;
  readonly more?: string;
}
const policy = (rules: readonly string[], { matcher = "*", event = "pre_tool_use", more = "" }: Shape = {}) =>
  [
    'profile: "2026-08"',
    "hooks:",
    `  ${event}:`,
    `    - matcher: "${matcher}"`,
    ...(event === "pre_tool_use" ? ["      preempt_yolo: true"] : []),
    "      hooks:",
    `        - type: rules${more}`,
    "          rules:",
    ...rules.map((rule) => `            - ${rule}`),
    "",
  ].join("\n");
const ON_ERROR: Shape = { event: "permission_request", more: "\n          on_error: warn" };
/** A second hook behind the rules of the first. */
const SECOND = "\n        - type: rules\n          rules: ";
const firedBy = (text: string) => findings(text).map(({ rule }) => rule);

describe("a rule that can never match", () => {
  const table: readonly (readonly [rule: string, reason: string])[] = [
    ["{ deny: x, kind: shell, mcp: { server: a } }", "no tool that `kind` selects has an MCP server"],
    ["{ deny: x, kind: fetch, command: { program: rm } }", "no tool that `kind` selects has a command"],
    ["{ deny: x, kind: agent, path: { class: home } }", "no tool that `kind` selects has a path"],
    ["{ deny: x, tool: WebFetch, kind: shell }", "no tool that `kind` selects has this name"],
    ["{ deny: x, kind: shell, all: [{ mcp: {} }] }", "no tool that `kind` selects has an MCP server"],
    ["{ deny: x, kind: shell, any: [{ mcp: {} }, { kind: read }] }", "no tool that"],
    ["{ deny: x, after: never_set }", 'no rule of this policy sets the mark "never_set"'],
    ["{ deny: x, not: {} }", "every call meets the empty condition"],
    ["{ deny: x, command: { flags: [force], without_flags: [--force] } }", "is wanted and excluded"],
    ["{ deny: x, path: { class: project, outside: project } }", "outside excludes the project"],
  ];
  it.each(table)("%s", (rule, reason) => {
    const found = findings(policy([rule])).filter((one) => one.rule === "rule-never-matches");
    expect(found.map(({ message }) => message)).toEqual([expect.stringContaining(reason)]);
    expect(found[0]?.line).toBe(9);
  });

  it.each([
    "{ deny: x, kind: [shell, mcp], mcp: { server: a } }",
    "{ deny: x, kind: other, command: { program: rm } }",
    "{ deny: x, any: [{ kind: shell }, { kind: read, command: { program: rm } }] }",
    "{ deny: x, tool: our_tool, mcp: { server: a } }",
  ])("is not %s", (rule) => expect(firedBy(policy([rule]))).not.toContain("rule-never-matches"));
});

describe("rules that decide together", () => {
  it("name the stricter rule of another hook", () => {
    const text = `${policy(["{ deny: x, kind: shell }"])}    - matcher: shell
      preempt_yolo: true
      hooks: [{ type: rules, rules: [{ ask: y, kind: shell, larger_than: 9 }] }]
`;
    const found = findings(text).filter(({ rule }) => rule === "rule-without-effect");
    expect(found.map(({ message }) => message)).toEqual([
      "rule 1 of pre_tool_use[0].hooks[0] matches all that this rule matches, and deny comes before ask",
    ]);
  });

  it("are silent where the hooks look at other tools", () => {
    const text = `${policy(["{ deny: x }"], { matcher: "edit_file" })}    - matcher: shell
      preempt_yolo: true
      hooks: [{ type: rules, rules: [{ ask: y }] }]
`;
    expect(firedBy(text)).not.toContain("rule-without-effect");
  });

  it("may set a mark in a rule that another covers", () => {
    const marks = ["{ deny: y, mark: m, kind: shell }", "{ deny: z, kind: read, after: m }"];
    expect(firedBy(policy(["{ deny: x, kind: shell }", ...marks]))).not.toContain("rule-shadowed");
  });
});

describe("rules for every type of hook", () => {
  it.each([
    ["field-without-effect", policy(["{ deny: x, kind: shell }"], { more: "\n          args: [a]" })],
    ["on-error-without-effect", policy(["{ deny: x, kind: shell }"], ON_ERROR)],
    ["secret-in-text", policy([`{ deny: x, command: { argument: ${"ghp_"}${"A1b2".repeat(9)} } }`])],
    ["hook-duplicated", policy([`{ deny: x, kind: shell }${SECOND}[{ deny: x, kind: shell }]`])],
  ])("%s speaks of rules", (id, text) => expect(firedBy(text)).toContain(id));

  it("a gate of rules is one that yolo mode may skip", () => {
    const text = policy(["{ deny: x, kind: shell }"]).replace("      preempt_yolo: true\n", "");
    expect(firedBy(text)).toContain("gate-skipped-under-yolo");
    expect(firedBy(text.replace("deny: x", "allow: x"))).not.toContain("gate-skipped-under-yolo");
  });

  it("no rule says that a gate of rules fails open: it denies when it fails", () => {
    const text = policy(["{ deny: x, kind: shell }"], { event: "permission_request" });
    expect(firedBy(text)).not.toContain("gate-fails-open");
    expect(firedBy(text.replace("2026-08", "2026-07"))).not.toContain("gate-allows-on-failure");
  });

  it("two rules hooks with other rules do not differ in little", () => {
    const text = policy([`{ deny: x, kind: shell }${SECOND}[{ deny: y, kind: read }]`]);
    expect(findings(text).filter(({ rule }) => rule === "profile-difference")).toEqual([]);
  });

  it("a client that answers an ask by a denial is named at the rules", () => {
    const found = findings(policy(["{ ask: x, kind: shell }"]), [CODEX]);
    const stricter = found.filter(({ rule }) => rule === "client-answers-stricter");
    expect(stricter.map(({ segments }) => segments.at(-1))).toEqual(["rules"]);
  });
});

describe("a builtin that only labels", () => {
  const text = (rules: string, profile = "2026-11") => `profile: "${profile}"
hooks:
  pre_tool_use:
    - matcher: shell
      preempt_yolo: true
      hooks:
        - { type: builtin, command: safer_shell }
        - { type: rules, rules: [${rules}] }
`;
  it.each([
    ["a rule about files", "{ deny: x, kind: [write, edit] }"],
    ["a rule that leaves the shell out", "{ ask: x, not: { kind: [read, shell] } }"],
    ["a rule for one agent", "{ deny: x, agent: builder, kind: shell }"],
    ["a rule that allows", "{ allow: x, kind: shell }"],
  ])("is no gate, and %s is none either", (_says, rule) => {
    expect(firedBy(text(rule))).toContain("gate-only-labels");
  });

  it("is no error where a rule decides over commands, or in an older profile", () => {
    expect(firedBy(text("{ ask: x, command: { program: curl } }"))).not.toContain("gate-only-labels");
    for (const profile of ["2026-07", "2026-08"])
      expect(firedBy(text("{ deny: x, kind: edit }", profile))).not.toContain("gate-only-labels");
  });

  it("an older policy gets the difference as advice", () => {
    expect(findings(text("{ deny: x, kind: edit }", "2026-08")).map(({ message }) => message)).toContain(
      "the builtin safer_shell asks in 2026-08 and only labels calls from 2026-11 on",
    );
  });
});
