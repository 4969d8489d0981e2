"use client";

import { Bot, User } from "lucide-react";
import { CERTAINTY_TEXT, UNKNOWN_REASON, UNKNOWN_TEXT } from "@/components/principals/certainty-words";
import { usePrincipals } from "@/components/principals/use-principals";
import { Tooltip } from "@/components/ui/tooltip";
import type { Certainty } from "@/server/access/principal-schema";

export interface PersonNameProps {
  /** Null: unknown. */
  principal: { readonly id: string; readonly certainty: Certainty } | null;
  /** For a narrow column: a certainty that is not a guess is in the hover text only. */
  isBrief?: boolean;
}

/** The name of the person or service that a call was made for, with its certainty. */
export function PersonName({ principal, isBrief = false }: PersonNameProps) {
  const { find, nameOf } = usePrincipals();
  if (principal === null)
    return (
      <Tooltip content={UNKNOWN_REASON}>
        <span className="cursor-help text-faint">{UNKNOWN_TEXT}</span>
      </Tooltip>
    );
  const { id, certainty } = principal;
  const Icon = find(id)?.kind === "service" ? Bot : User;
  return (
    <Tooltip content={CERTAINTY_TEXT[certainty]}>
      <span className="inline-flex min-w-0 max-w-full items-center gap-1">
        <Icon aria-hidden className="size-3 shrink-0 text-faint" />
        <span className="truncate">{nameOf(id)}</span>
        <span className={isBrief && certainty !== "guessed" ? "sr-only" : "shrink-0 text-faint text-xs"}>
          {certainty}
        </span>
      </span>
    </Tooltip>
  );
}

/** The name of a person or service by id, without a certainty. */
export function PersonLabel({ id }: { id: string }) {
  const { nameOf } = usePrincipals();
  return <span className="truncate">{nameOf(id)}</span>;
}
