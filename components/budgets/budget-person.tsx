"use client";

import { Bot, User } from "lucide-react";
import { usePrincipals } from "@/components/principals/use-principals";
import { Link } from "@/components/ui/link";
import type { BudgetView } from "@/server/budgets/schema";

/** The person or service of a budget, with a link to their page; nothing for another budget. */
export function BudgetPerson({ budget }: { budget: Pick<BudgetView, "scope" | "target"> }) {
  const { find, nameOf } = usePrincipals();
  if (budget.scope !== "person") return null;
  const Icon = find(budget.target)?.kind === "service" ? Bot : User;
  return (
    <Link
      href={`/agents/people/${budget.target}`}
      className="relative z-10 inline-flex min-w-0 max-w-full items-center gap-1 link"
    >
      <Icon aria-hidden className="size-3 shrink-0" />
      <span className="truncate">{nameOf(budget.target)}</span>
    </Link>
  );
}
