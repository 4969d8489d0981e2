/** The findings for which a change was refused, and their override in a dialog. */
import { type BlockingRule, isBlockingRule } from "@quarterdeck/hooks/contract/lint/blocking-rules";
import { problemsOf } from "@/components/trpc/failure";

/** The rules of the findings that blocked a change; none for another failure. */
export const blockingRulesOf = (error: unknown): BlockingRule[] =>
  problemsOf(error).flatMap(({ rule }) => (typeof rule === "string" && isBlockingRule(rule) ? [rule] : []));
