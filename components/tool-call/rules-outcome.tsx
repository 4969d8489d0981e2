"use client";

import type { RuleReading } from "@quarterdeck/hooks/reading/schema";
import { Badge } from "@/components/ui/badge";
import { plural } from "@/components/ui/format/count";
import { Mark } from "@/components/ui/mark";

const VERDICTS = {
  deny: { tone: "deny", label: "Deny" },
  ask: { tone: "ask", label: "Ask" },
  allow: { tone: "allow", label: "Allow" },
} as const;

export interface RulesOutcomeProps {
  rules: readonly RuleReading[];
  /** The rule that decides; null when none does or it is not known. */
  decisive: RuleReading | null;
}

/**
 * The rules of a hook on one call: those that match, those that depend on the session, and the reasons of the others.
 */
export function RulesOutcome({ rules, decisive }: RulesOutcomeProps) {
  const others = rules.filter(({ state }) => state === "not_matched");
  const shown = rules.filter(({ state }) => state !== "not_matched");
  return (
    // A group and not a landmark: a decision has one for each rule that checked it.
    <fieldset aria-label="Rules" className="flex min-w-0 flex-col gap-1.5 text-sm">
      {shown.length === 0 ? (
        <p className="text-muted">No rule matches.</p>
      ) : (
        <Rules rules={shown} decisive={decisive} />
      )}
      {others.length === 0 ? null : (
        <details {...(shown.length === 0 && others.length <= 5 ? { open: true } : {})}>
          <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-text">
            {plural(others.length, "rule")} not matched
          </summary>
          <div className="mt-1.5">
            <Rules rules={others} decisive={null} />
          </div>
        </details>
      )}
    </fieldset>
  );
}

function Rules({ rules, decisive }: RulesOutcomeProps) {
  return (
    <ul className="flex flex-col gap-1.5">
      {rules.map((rule) => (
        <li key={rule.index} className="flex min-w-0 flex-col gap-0.5">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="text-faint">Rule {rule.index + 1}</span>
            {rule.state === "matched" && rule.verdict !== null ? <Mark {...VERDICTS[rule.verdict]} /> : null}
            {rule.state === "unknown" ? <Mark tone="unknown" label="Unknown" /> : null}
            {rule === decisive ? <Badge look="accent">decides</Badge> : null}
            {rule.mark === null ? null : <Badge look="outline">sets {rule.mark}</Badge>}
            <span className="min-w-0 break-words">{rule.reason}</span>
          </p>
          <p className="break-words text-muted">{rule.says}</p>
        </li>
      ))}
    </ul>
  );
}
