"use client";

import { isBlockingRule } from "@quarterdeck/hooks/contract/lint/blocking-rules";
import { GATE_ONLY_LABELS } from "@quarterdeck/hooks/contract/lint/rule";
import {
  type Repair,
  SEVERITIES,
  type TextFinding,
  type TextProblem,
} from "@quarterdeck/hooks/contract/text/text-problems";
import { CircleAlert, CircleCheck, Lightbulb, TriangleAlert } from "lucide-react";
import { type KeyboardEvent, memo, useCallback, useEffect, useRef, useState } from "react";
import { sentence } from "@/components/policies/check/sentence";
import { ruleHref, SEVERITY_WORDS } from "@/components/policies/check/severity-labels";
import { WaitBars } from "@/components/policies/check/wait-bars";
import { counted } from "@/components/policies/labels";
import type { Checked } from "@/components/policies/use-check";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Notice } from "@/components/ui/notice";
import { Spinner } from "@/components/ui/spinner";
import type { CheckView } from "@/server/policies/schema";

export interface ProblemsPanelProps {
  checked: Checked;
  /** True while the shown text is newer than the checked one. */
  isChecking: boolean;
  onGoTo: (problem: TextProblem) => void;
  onRepair: (repair: Repair) => void;
}

/**
 * The problems of the text: first those that prevent publishing, then the linter's warnings. A click goes to the line.
 */
export function ProblemsPanel({ checked, isChecking, onGoTo, onRepair }: ProblemsPanelProps) {
  const { view, failure } = checked;
  const problems = view?.problems ?? [];
  const findings = view?.findings ?? [];
  const warnings = findings.filter(({ severity }) => severity !== "advice");
  // The page is drawn at every key, the list only when there is something else to say.
  const latest = useRef({ onGoTo, onRepair });
  useEffect(() => {
    latest.current = { onGoTo, onRepair };
  });
  const goTo = useCallback((problem: TextProblem) => latest.current.onGoTo(problem), []);
  const repair = useCallback((one: Repair) => latest.current.onRepair(one), []);
  return (
    <section
      aria-label="Problems"
      className="flex max-h-2/5 shrink-0 max-sm:max-h-28 flex-col border-line border-t bg-sunken"
    >
      <h2 className="flex h-8 shrink-0 items-center gap-1.5 px-3 font-medium text-sm" aria-live="polite">
        {isChecking && failure === null && view === null ? (
          <Spinner />
        ) : problems.length > 0 ? (
          <CircleAlert aria-hidden className="size-3.5 text-deny" />
        ) : warnings.length > 0 ? (
          <TriangleAlert aria-hidden className="size-3.5 text-ask" />
        ) : failure === null ? (
          <CircleCheck aria-hidden className="size-3.5 text-allow" />
        ) : null}
        {failure !== null ? "Not checked" : view === null ? "Checking…" : headline(view)}
      </h2>
      {failure === null ? null : (
        <Notice kind="warning" className="mx-3 mb-2">
          The draft could not be checked: {failure} You can continue to edit. An unchecked draft cannot be published.
        </Notice>
      )}
      {view === null ? null : <List view={view} onGoTo={goTo} onRepair={repair} />}
    </section>
  );
}

interface ListProps {
  view: CheckView;
  onGoTo: (problem: TextProblem) => void;
  onRepair: (repair: Repair) => void;
}

const List = memo(function List({ view: { problems, findings, waits }, onGoTo, onRepair }: ListProps) {
  const sorted = findings.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  if (problems.length + sorted.length === 0) return null;
  return (
    <ul className="min-h-0 overflow-y-auto pb-1" onKeyDown={walk}>
      {problems.map((problem) => (
        <li key={keyOf(problem)}>
          <Row problem={problem} onGoTo={onGoTo} />
        </li>
      ))}
      {sorted.map((finding) => (
        <li key={`${finding.rule} ${keyOf(finding)}`}>
          <FindingRow finding={finding} onGoTo={onGoTo} onRepair={onRepair} />
        </li>
      ))}
      {waits.length > 0 ? (
        <li className="px-3 py-2">
          <WaitBars waits={waits} />
        </li>
      ) : null}
    </ul>
  );
});

const keyOf = ({ line, column, path, message }: TextProblem): string => `${line}:${column}:${path}:${message}`;

interface RowProps {
  problem: TextProblem;
  onGoTo: (problem: TextProblem) => void;
  finding?: TextFinding;
  isOpen?: boolean;
}

function Row({ problem, onGoTo, finding, isOpen }: RowProps) {
  const Icon = finding === undefined ? CircleAlert : finding.severity === "advice" ? Lightbulb : TriangleAlert;
  const { word, look } = finding ? SEVERITY_WORDS[finding.severity] : { word: "Problem", look: "text-deny" };
  return (
    <button
      type="button"
      data-step
      {...(isOpen === undefined ? {} : { "aria-expanded": isOpen })}
      onClick={() => onGoTo(problem)}
      className="inset-focus flex w-full items-start gap-x-2 px-3 py-1 text-left hover:bg-hover max-sm:flex-wrap"
    >
      <span className={cn("flex w-20 shrink-0 items-center gap-1.5 text-sm leading-5", look)}>
        <Icon aria-hidden className="size-3.5 shrink-0" />
        {word}
      </span>
      <span className="w-14 shrink-0 text-faint text-sm leading-5">line {problem.line}</span>
      <span className="min-w-0 flex-1 max-sm:basis-full">
        {sentence(problem.message)}
        {problem.path ? <code className="ml-2 break-all text-faint max-sm:hidden">{problem.path}</code> : null}
      </span>
    </button>
  );
}

/** A finding, its reason once it is expanded, and its repair. */
function FindingRow({ finding, onGoTo, onRepair }: { finding: TextFinding } & Omit<ListProps, "view">) {
  const [isOpen, setOpen] = useState(false);
  const { repair } = finding;
  return (
    <div className={cn(isOpen && "bg-surface pb-1.5")}>
      <div className="flex items-start max-sm:flex-col max-sm:pb-1.5">
        <div className="min-w-0 flex-1 max-sm:w-full">
          <Row
            problem={finding}
            finding={finding}
            isOpen={isOpen}
            onGoTo={(problem) => {
              setOpen(!isOpen);
              onGoTo(problem);
            }}
          />
        </div>
        {repair ? (
          <Button size="sm" className="mx-2 mt-0.5 max-w-56" title={repair.label} onClick={() => onRepair(repair)}>
            <span className="truncate">{repair.label}</span>
          </Button>
        ) : null}
      </div>
      {isOpen ? (
        <div className="flex flex-col gap-1 pr-3 pl-8 text-muted text-sm">
          <p>{finding.why}</p>
          <p>{finding.fix}</p>
          <a className="link w-fit" href={ruleHref(finding.rule)} target="_blank" rel="noreferrer">
            About {finding.rule}
          </a>
        </div>
      ) : null}
    </div>
  );
}

/** Arrow keys walk the list. */
function walk(event: KeyboardEvent<HTMLUListElement>): void {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (by === 0) return;
  const steps = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-step]")];
  const here = steps.findIndex((step) => step.matches(":focus"));
  event.preventDefault();
  steps[here + by]?.focus();
}

function headline({ problems, findings, profile }: CheckView): string {
  if (problems.length >= 50) return "Only the first 50 problems are shown. Fix some to see the others.";
  if (problems.length > 0) return `${counted(problems.length, "problem")} to fix before publishing`;
  const [errors, warnings, advice] = SEVERITIES.map(
    (wanted) => findings.filter(({ severity }) => severity === wanted).length,
  );
  const said = [
    ...(warnings ? [counted(warnings, "warning")] : []),
    ...(advice ? [counted(advice, "suggestion", "suggestions")] : []),
  ];
  const labels = findings.filter(({ rule }) => rule === GATE_ONLY_LABELS).length;
  const blocking = findings.filter(({ rule }) => isBlockingRule(rule)).length;
  const allowing = (errors ?? 0) - labels - blocking;
  const open = [
    ...(blocking ? [`${counted(blocking, "finding")} ${blocking === 1 ? "blocks" : "block"} publication`] : []),
    ...(allowing ? [`${counted(allowing, "gate")} ${allowing === 1 ? "allows" : "allow"} on failure`] : []),
    ...(labels ? [`${counted(labels, "gate")} only ${labels === 1 ? "labels" : "label"} calls`] : []),
  ];
  const first = open.length > 0 ? open.join(", ") : "No errors";
  return `${first}${said.length > 0 ? `, ${said.join(" and ")}` : ""} · profile ${profile}`;
}
