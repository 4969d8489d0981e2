/** docs/lint-rules.md, rendered from the linter's table. lint-doc.test.ts fails when the file is stale. */
import { GATE_LONGER_THAN_CALLER, VETO_HITS_OVERFLOW } from "../contract/lint/blocking-rules.ts";
import type { Example, Rule } from "../contract/lint/rule.ts";
import { LINT_RULES } from "../contract/lint/rules.ts";

/** The whole document. */
export function lintDocument(): string {
  const blocking = `\`${VETO_HITS_OVERFLOW}\` and \`${GATE_LONGER_THAN_CALLER}\``;
  return [
    "# Rules for policies",
    "",
    "<!-- Rendered from server/hooks/contract/lint/rules.ts; `UPDATE_DOCS=1 npx vitest run server/hooks/conformance/lint-doc` writes it. -->",
    "",
    "The editor, `policies.check` and `quarterdeck policy lint` check each policy against these rules. An",
    "**error** is a gate that does not work as written. A **warning** is probably a mistake. **Advice** is a better way.",
    "",
    `Errors of ${blocking} block the policy: it is not published, rolled back to`,
    "or given to a canary. So does a program that a gate needs and that is not in the sandbox (`gate-program-missing`). An admin can",
    "override a finding that blocks. The reason is stored with the revision and in the audit log. All other findings only inform.",
    "",
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
