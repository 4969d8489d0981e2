import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { setNested } from "@/components/policies/document/set-nested";
import { policyForm } from "@/components/policies/document/tree";
import { RoutesField } from "@/components/policies/form/evaluator/routes-field";
import { VerdictsField } from "@/components/policies/form/evaluator/verdicts-field";
import { FormContext, ProblemsContext, type Sections } from "@/components/policies/form/form-context";
import { TooltipProvider } from "@/components/ui/tooltip";
import type { PolicyProblem } from "@/server/policies/schema";

const SOURCE = `profile: "2026-11"
evaluators:
  risk: { provider: typesafe, model: m-1, type: boolean, instructions: Is it risky? }
  effort:
    provider: typesafe
    model: m-1
    type: choice
    instructions: How hard is it?
    choices: { simple: One line., hard: More. }
routing: { default_agent: front }
hooks:
  tool_guard:
    - matcher: "*"
      hooks:
        - type: evaluator
          evaluator: risk
          evaluator_policy: { decisions: { "true": deny, odd: ask }, min_probability: 0.85, fallback: ask }
  before_agent_run:
    - type: evaluator
      evaluator: effort
      routing_policy: { routes: { simple: junior }, min_probability: 0.6 }
`;
const form = policyForm(SOURCE);
const guard = form.events[0]?.entries[0]?.hooks[0];
const route = form.events[1]?.hooks[0];
const { evaluators, routing } = form;

const drawn = (what: ReactNode, problems: readonly PolicyProblem[] = [], more: Partial<Sections> = {}) =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <FormContext
          value={{
            ...{ edit: () => null, profile: "2026-11", tools: null },
            sections: { evaluators, routing, problems: [], ...more },
          }}
        >
          <ProblemsContext value={problems}>{what}</ProblemsContext>
        </FormContext>
      </TooltipProvider>
    </QueryClientProvider>,
  );
const problem = (path: string, message: string) => ({ path, message, line: 1, column: 1, endLine: 1, endColumn: 1 });

describe("an evaluator in the form", () => {
  it("has a verdict for each outcome, and for one that its definition does not have", () => {
    const html = guard ? drawn(<VerdictsField hook={guard} label="Verdicts" />) : "";
    for (const text of ["Yes (true)", "No (false)", ">odd<", "Minimum probability", 'value="0.85"', "Fallback"])
      expect(html).toContain(text);
  });

  it("has an agent for each choice, and the default agent of the policy", () => {
    const html = route ? drawn(<RoutesField hook={route} label="Routes" />) : "";
    for (const text of ["Agent for simple", "Agent for hard", 'value="junior"', "Default agent", 'value="front"'])
      expect(html).toContain(text);
  });

  it("shows what is wrong at its field", () => {
    const html = route
      ? drawn(
          <RoutesField hook={route} label="Routes" />,
          [problem("hooks.before_agent_run[0].routing_policy", "one route is missing")],
          { problems: [problem("routing.default_agent", "nobody is called so")] },
        )
      : "";
    expect(html).toContain("one route is missing");
    expect(html).toContain("nobody is called so");
  });
});

describe("a nested key", () => {
  const written = (...asked: Parameters<typeof setNested>) => {
    const edit = setNested(...asked);
    return edit.ok ? policyForm(edit.text) : edit.why;
  };

  it("is set where it is, and with the mappings that it lacks", () => {
    const hook = ["hooks", "before_agent_run", 0];
    const fields = route?.fields;
    expect(written(SOURCE, hook, fields, ["routing_policy", "routes", "hard"], "senior")).toMatchObject({
      events: [{}, { hooks: [{ fields: { routing_policy: { routes: { simple: "junior", hard: "senior" } } } }] }],
    });
    const bare = 'profile: "2026-11"\nhooks: {}\n';
    const order = ["profile", "evaluators", "routing", "hooks"];
    expect(written(bare, [], {}, ["evaluators", "risk"], { type: "boolean" }, order)).toMatchObject({
      evaluators: { risk: { type: "boolean" } },
    });
  });
});
