/** docs/lint-rules.md, rendered from the linter's table. lint-doc.test.ts fails when the file is stale. */
import type { Example, Rule } from "../contract/lint/rule.ts";
import { LINT_RULES } from "../contract/lint/rules.ts";

/** The whole document. */
export function lintDocument(): string {
  return [
    "# Rules for policies",
    "",
    "<!-- Rendered from server/hooks/contract/lint/rules.ts; `UPDATE_DOCS=1 npx vitest run server/hooks/conformance/lint-doc` writes it. -->",
    "",
    "What the editor, `policies.check` and `quarterdeck policy lint` say of a policy that can be published and may still not do",
    "what was meant. A **warning** is probably a mistake; **advice** is a better way. Neither keeps a policy from being",
    "published. Each example is tested: the rule speaks of the first, and of the second no rule warns.",
    "",
    "| rule | severity | what it finds |",
    "| --- | --- | --- |",
    ...LINT_RULES.map(({ id, severity, title }) => `| [${id}](#${id}) | ${severity} | ${title} |`),
    "",
    ...LINT_RULES.flatMap(section),
  ].join("\n");
}

function section({ id, severity, title, why, fix, firing, silent }: Rule): string[] {
  const head = [`## ${id}`, "", `**${severity}**. ${title}.`, "", `Why: ${why}`, "", `Fix: ${fix}`, ""];
  return [...head, ...exampleLines("Fires on", firing), ...exampleLines("Silent on", silent)];
}

function exampleLines(title: string, { policy, tools, judges, clients }: Example): string[] {
  const seen = tools ? `, where agents have used ${tools.map(({ name }) => `\`${name}\``).join(", ")}` : "";
  const known = (judges ?? []).map(
    ({ name, revisions }) => `, where revision ${revisions[0]?.number} of \`${name}\` is the latest`,
  );
  const bound = clients ? `, bound to agents of ${clients.map((client) => client.title).join(" and ")}` : "";
  return [`${title}${seen}${known.join("")}${bound}:`, "", "```yaml", policy.trimEnd(), "```", ""];
}
