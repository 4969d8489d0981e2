import { commandCondition, hostCondition, pathCondition, rule } from "@quarterdeck/hooks/contract/rules/schema";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { NESTS } from "@/components/policies/document/rules";
import { policyForm } from "@/components/policies/document/tree";
import { FormContext, ProblemsContext } from "@/components/policies/form/form-context";
import { CONDITIONS, RULE_ORDER } from "@/components/policies/form/rules/conditions";
import { RuleCard } from "@/components/policies/form/rules/rule-card";
import { conditionsText } from "@/components/policies/form/rules/rule-text";
import { RulesField } from "@/components/policies/form/rules/rules-field";
import { TooltipProvider } from "@/components/ui/tooltip";
import type { PolicyProblem } from "@/server/policies/schema";

const SOURCE = `hooks:
  pre_tool_use:
    - matcher: Bash
      hooks:
        - type: rules
          rules:
            - deny: Delete single files instead.
              command: { program: [rm, unlink], flags: [recursive], target: { class: [home, moon] } }
            - ask: This <b>rewrites</b>.
              any: [{ kind: shell }, { tool: x }]
            - mark: fetched
              kind: fetch
`;
const hook = policyForm(SOURCE).events[0]?.entries[0]?.hooks[0];
const sections = { evaluators: {}, routing: {}, problems: [] };
const form = { edit: () => null, profile: "2026-08", tools: null, sections } as const;
const drawn = (what: ReactNode, problems: readonly PolicyProblem[] = []) =>
  renderToStaticMarkup(
    <TooltipProvider>
      <FormContext value={form}>
        <ProblemsContext value={problems}>{what}</ProblemsContext>
      </FormContext>
    </TooltipProvider>,
  );
const noop = () => undefined;
const card = (index: number, isOpen: boolean, problems: readonly PolicyProblem[] = []) => {
  const node = hook?.rules?.nodes[index];
  if (!node) throw new Error("no such rule");
  return drawn(
    <RuleCard rule={node} index={index} of={3} isOpen={isOpen} onToggle={noop} onMove={noop} onRemove={noop} />,
    problems,
  );
};
const problem = (path: string, message: string) => ({ path, message, line: 1, column: 1, endLine: 1, endColumn: 1 });

describe("rules in the form", () => {
  it("are a list in short: verdict, reason and conditions, each to move and to remove", () => {
    const html = hook ? drawn(<RulesField hook={hook} label="Rules" />) : "";
    expect(html).toContain("3 rules");
    expect(html).toContain("Delete single files instead.");
    expect(html).toContain("This &lt;b&gt;rewrites&lt;/b&gt;.");
    expect(html).toContain("command: {program: [rm, unlink]");
    expect(html).toContain("Sets the mark fetched");
    for (const name of ["Move rule 1 down", "Move rule 3 up", "Remove rule 2"])
      expect(html).toContain(`aria-label="${name}"`);
    expect(html).toMatch(/aria-label="Move rule 1 up"[^>]*disabled|disabled[^>]*aria-label="Move rule 1 up"/);
  });

  it("show the fields of each condition with help, and a value that is not in the list", () => {
    const html = card(0, true);
    expect(html).toContain('value="rm, unlink"');
    expect(html).toContain("moon (unknown)");
    expect(html).toContain("Every listed flag must be set. Enter a meaning");
    expect(html).toContain("The agent sees this reason.");
  });

  it("show nested conditions as YAML", () => {
    const html = card(1, true);
    expect(html).toContain("Edit nested conditions in the YAML.");
    expect(html.replace(/<[^>]*>/g, "")).toContain("any: [{ kind: shell }, { tool: x }]");
    expect(html).not.toContain("matches every call. Add a condition.");
  });

  it("put a problem at its field, at the rule, or in the short form", () => {
    const where = "hooks.pre_tool_use[0].hooks[0].rules[0]";
    const found = [problem(`${where}.command.program`, "Unknown program."), problem(`${where}.colour`, "unknown key")];
    const open = card(0, true, found);
    expect(open.split("Unknown program.")).toHaveLength(2);
    expect(open).toContain("<code>colour: </code>unknown key");
    expect(card(0, false, found)).toContain("Unknown program.");
  });
});

describe("the table of conditions", () => {
  it("has every condition and every field of the schema", () => {
    const keys = CONDITIONS.flatMap(({ key, fields, isMapping }) => (isMapping ? [key] : fields.map((one) => one.key)));
    expect([...keys, "deny", "ask", "allow", "mark", ...NESTS].sort()).toEqual(Object.keys(rule.shape).sort());
    expect([...RULE_ORDER].sort()).toEqual(Object.keys(rule.shape).sort());
    const command = CONDITIONS.find(({ key }) => key === "command");
    expect([...(command?.fields ?? []), ...(command?.groups ?? [])].map(({ key }) => key).sort()).toEqual(
      Object.keys(commandCondition.shape).sort(),
    );
    const keysOf = (condition: string) =>
      CONDITIONS.find(({ key }) => key === condition)
        ?.fields.map(({ key }) => key)
        .sort();
    expect(keysOf("path")).toEqual(Object.keys(pathCondition.shape).sort());
    expect(keysOf("host")).toEqual(Object.keys(hostCondition.shape).sort());
  });

  it("says the conditions of a rule on one line", () => {
    expect(conditionsText({ deny: "x", mark: "m", command: { program: "rm" }, opaque: true })).toBe(
      "command: {program: rm}, opaque: true",
    );
    expect(conditionsText({ allow: "x" })).toBe("");
  });
});
