import type { Example, Rule } from "@quarterdeck/hooks/contract/lint/rule";
import { LINT_RULES } from "@quarterdeck/hooks/contract/lint/rules";
import { Lightbulb, TriangleAlert } from "lucide-react";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { SEVERITY_WORDS } from "@/components/policies/check/severity-labels";
import { cn } from "@/components/ui/cn";
import { CodeWords } from "@/components/ui/code/code-words";

/** Every linter rule: its findings, the reason, the fix, and an example of both. */
export function RulesPage() {
  return (
    <>
      <PageHeader title="Lint rules" crumbs={[{ label: "Policies", href: "/policies" }]} />
      <PageBody>
        <p className="max-w-prose text-muted">
          The editor checks each policy against these rules. An error is a gate that does not work as written, and some
          errors block publishing. A warning is probably a mistake. Advice suggests a better way. Warnings and advice do
          not block publishing.
        </p>
        <ul className="mt-6 flex flex-col gap-10">
          {LINT_RULES.map((rule) => (
            <li key={rule.id}>
              <RuleSection rule={rule} />
            </li>
          ))}
        </ul>
      </PageBody>
    </>
  );
}

function RuleSection({ rule }: { rule: Rule }) {
  const { word, look } = SEVERITY_WORDS[rule.severity];
  const Icon = rule.severity === "advice" ? Lightbulb : TriangleAlert;
  return (
    <section id={rule.id} aria-labelledby={`${rule.id}-title`} className="flex scroll-mt-4 flex-col gap-2">
      <h2 id={`${rule.id}-title`} className="text-md">
        {rule.title}
      </h2>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span className={cn("inline-flex items-center gap-1.5", look)}>
          <Icon aria-hidden className="size-3.5" />
          {word}
        </span>
        <a className="link" href={`#${rule.id}`}>
          <code>{rule.id}</code>
        </a>
      </p>
      <p className="max-w-prose">
        <CodeWords text={rule.why} />
      </p>
      <p className="max-w-prose">
        <CodeWords text={rule.fix} />
      </p>
      <div className="grid gap-3 lg:grid-cols-2">
        <ExampleBlock title="Flagged" example={rule.firing} />
        <ExampleBlock title="Not flagged" example={rule.silent} />
      </div>
    </section>
  );
}

function ExampleBlock({ title, example }: { title: string; example: Example }) {
  const tools = example.tools?.map(({ name }) => name).join(", ");
  const clients = example.clients?.map((client) => client.title).join(" and ");
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <figcaption className="text-muted text-sm">
        {title}
        {tools === undefined ? null : `, where agents have used ${tools}`}
        {clients === undefined ? null : `, bound to agents of ${clients}`}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="overflow-x-auto rounded-md border bg-sunken p-3 text-sm">
        <code>{example.policy.trimEnd()}</code>
      </pre>
    </figure>
  );
}
