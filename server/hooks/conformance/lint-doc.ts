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
    "The editor, `policies.check` and `quarterdeck policy lint` check each policy against these rules. A finding does not prevent",
    "publishing, but the policy may not do what was meant. An **error** is a gate that may let calls pass. A **warning** is probably",
    "a mistake. **Advice** is a better way.",
    "Each example is tested: the rule fires on the first, and no rule warns about the second.",
    "",
    "| rule | severity | finding |",
    "| --- | --- | --- |",
    ...LINT_RULES.map(({ id, severity, title }) => `| [${id}](#${id}) | ${severity} | ${title} |`),
    "",
    ...LINT_RULES.flatMap(section),
  ].join("\n");
}

function section({ id, severity, title, why, fix, firing, silent }: Rule): string[] {
  const head = [`## ${id}`, "", `**${severity}**. ${title}.`, "", `Why: ${asText(why)}`, "", `Fix: ${asText(fix)}`, ""];
  return [...head, ...exampleLines("Fires on", firing), ...exampleLines("Silent on", silent)];
}

/** Angle brackets of a text, which Markdown would read as a tag. */
const asText = (text: string): string => text.replaceAll("<", "&lt;");

function exampleLines(title: string, { policy, tools, judges, clients }: Example): string[] {
  const seen = tools ? `, where agents have used ${tools.map(({ name }) => `\`${name}\``).join(", ")}` : "";
  const known = (judges ?? []).map(
    ({ name, revisions }) => `, where revision ${revisions[0]?.number} of \`${name}\` is the latest`,
  );
  const bound = clients ? `, bound to agents of ${clients.map((client) => client.title).join(" and ")}` : "";
  return [`${title}${seen}${known.join("")}${bound}:`, "", "```yaml", policy.trimEnd(), "```", ""];
}
