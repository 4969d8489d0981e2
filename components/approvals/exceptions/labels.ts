import type { ExceptionScope, ExceptionView } from "@/server/exceptions/schema";

export const SCOPE_LABELS: Readonly<Record<ExceptionScope, string>> = {
  session: "this session",
  agent: "this agent",
  group: "a group of agents",
  workspace: "all agents",
};

export const LIFETIMES = [
  { hours: 1, label: "1 hour" },
  { hours: 24, label: "1 day" },
  { hours: 7 * 24, label: "7 days" },
  { hours: 30 * 24, label: "30 days" },
  { hours: 90 * 24, label: "90 days" },
] as const;

type Subject = Pick<ExceptionView, "scope" | "about" | "toolName" | "command" | "lifts">;

export interface ExceptionDraft extends Subject {
  readonly rules: readonly { readonly policy: string; readonly path: string }[];
  readonly hours: number;
  readonly input: string;
}

/** The exception as YAML. Quoted as JSON, which YAML reads too. */
export function exceptionYaml({ scope, about, toolName, command, lifts, rules, hours, input }: ExceptionDraft): string {
  const quoted = (text: string) => JSON.stringify(text);
  return [
    "exception:",
    `  lifts: ${lifts}`,
    "  rules:",
    ...rules.map(({ policy, path }) => `    - { policy: ${quoted(policy)}, hook: ${quoted(path)} }`),
    `  tool: ${quoted(toolName)}`,
    command === null ? `  input: ${input}` : `  command: [${command.map(quoted).join(", ")}]`,
    `  for: { ${scope === "workspace" ? "workspace: true" : `${scope}: ${quoted(about)}`} }`,
    `  hours: ${hours}`,
  ].join("\n");
}
