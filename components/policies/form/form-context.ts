"use client";

import type { Profile } from "@quarterdeck/hooks/contract/events";
import { createContext, useContext } from "react";
import type { Edit } from "@/components/policies/document/change";
import type { Fields } from "@/components/policies/document/intent";
import type { PolicyProblem } from "@/server/policies/schema";

/** Changes the text through the editor, so that its undo covers the form. Answers why not, or null when it is done. */
export type DoEdit = (make: (text: string) => Edit, isTyping?: boolean) => string | null;

export interface SeenTool {
  readonly name: string;
  readonly count: number;
}

/** Values shared by every card that never cause a new render. Each card gets its own problems as props. */
export interface FormContextValue {
  readonly edit: DoEdit;
  readonly profile: Profile;
  /** Null while it is not known which tools were used. */
  readonly tools: readonly SeenTool[] | null;
  /** The evaluators of the policy by name, its routing, and the problems of both. */
  readonly sections: Sections;
}

export interface Sections {
  readonly evaluators: Fields;
  readonly routing: Fields;
  readonly problems: readonly PolicyProblem[];
}

export const FormContext = createContext<FormContextValue | null>(null);

export function useForm(): FormContextValue {
  const form = useContext(FormContext);
  if (!form) throw new Error("a part of the policy form is used outside of the form");
  return form;
}

export const NO_PROBLEMS: readonly PolicyProblem[] = [];

/** The problems of the hook whose fields these are. */
export const ProblemsContext = createContext(NO_PROBLEMS);

export const useProblems = (): readonly PolicyProblem[] => useContext(ProblemsContext);

/** The problems at or below a place; the same empty array each time if there are no problems. */
export function problemsWithin(problems: readonly PolicyProblem[], where: string): readonly PolicyProblem[] {
  const found = problems.filter(({ path }) => isWithin(path, where));
  return found.length === 0 ? NO_PROBLEMS : found.length === problems.length ? problems : found;
}

const isWithin = (path: string, where: string): boolean =>
  path === where || path.startsWith(`${where}.`) || path.startsWith(`${where}[`);

/** The problems of exactly this path, joined into one text; undefined without problems. */
export function problemAt(problems: readonly PolicyProblem[], where: string): string | undefined {
  const found = problems.filter(({ path }) => path === where).map(({ message }) => message);
  return found.length > 0 ? found.join(" ") : undefined;
}

/** True if anything is wrong at or below a place. */
export const hasProblemWithin = (problems: readonly PolicyProblem[], where: string): boolean =>
  problems.some(({ path }) => isWithin(path, where));
