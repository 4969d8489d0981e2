"use client";

import { ChevronRight, CircleAlert, CircleCheck } from "lucide-react";
import { sentence } from "@/components/policies/editor/problem-marks";
import type { Checked } from "@/components/policies/use-check";
import { counted } from "@/components/policies/words";
import { Notice } from "@/components/ui/notice";
import { Spinner } from "@/components/ui/spinner";
import type { PolicyProblem } from "@/server/policies/schema";

export interface ProblemsPanelProps {
  checked: Checked;
  /** The text on screen is newer than what was checked. */
  isChecking: boolean;
  onGoTo: (problem: PolicyProblem) => void;
}

/** Everything that stands between this text and its publication, each one a step from its line. */
export function ProblemsPanel({ checked, isChecking, onGoTo }: ProblemsPanelProps) {
  const { view, failure } = checked;
  const problems = view?.problems ?? [];
  return (
    <section aria-label="Problems" className="flex max-h-2/5 shrink-0 flex-col border-line border-t bg-sunken">
      <h2 className="flex h-8 shrink-0 items-center gap-1.5 px-3 font-medium text-sm" aria-live="polite">
        {isChecking && failure === null ? (
          <Spinner />
        ) : problems.length > 0 ? (
          <CircleAlert aria-hidden className="size-3.5 text-deny" />
        ) : failure === null ? (
          <CircleCheck aria-hidden className="size-3.5 text-allow" />
        ) : null}
        {failure !== null ? "Not checked" : view === null ? "Checking…" : headline(problems.length, view.profile)}
      </h2>
      {failure === null ? null : (
        <Notice kind="warning" className="mx-3 mb-2">
          The text could not be checked: {failure} Editing goes on; nothing is published unchecked.
        </Notice>
      )}
      {problems.length > 0 ? (
        <ul className="min-h-0 overflow-y-auto pb-1">
          {problems.map((problem) => (
            <li key={`${problem.line}:${problem.column}:${problem.message}`}>
              <button
                type="button"
                onClick={() => onGoTo(problem)}
                className="inset-focus group flex w-full items-start gap-2 px-3 py-1 text-left hover:bg-hover"
              >
                <span className="w-14 shrink-0 text-faint text-sm leading-5">line {problem.line}</span>
                <span className="min-w-0 flex-1">
                  {sentence(problem.message)}
                  {problem.path ? (
                    <code className="ml-2 break-all text-faint max-sm:hidden">{problem.path}</code>
                  ) : null}
                </span>
                <ChevronRight
                  aria-hidden
                  className="mt-1 size-3 shrink-0 text-faint opacity-0 group-hover:opacity-100"
                />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

function headline(problems: number, profile: string): string {
  if (problems === 0) return `No problems. Read as profile ${profile}.`;
  return problems >= 50
    ? "The first 50 problems; solve some to see the others."
    : `${counted(problems, "problem")} to solve before this can be published`;
}
