"use client";

import { SOURCE_TEXT } from "@/components/principals/certainty-words";
import { PersonName } from "@/components/principals/person-name";
import { usePrincipals } from "@/components/principals/use-principals";
import type { CallPrincipal } from "@/server/access/principal-schema";

/** The person of one call with its source, and the other person whom telemetry names. */
export function CallPerson({ principal }: { principal: CallPrincipal | null }) {
  const { find, nameOf } = usePrincipals();
  const named = principal?.named;
  const isOther = named !== undefined && principal !== null && find(named)?.id !== find(principal.id)?.id;
  return (
    <span className="flex min-w-0 flex-col">
      <PersonName principal={principal} />
      {principal === null ? null : <span className="text-muted text-sm">{SOURCE_TEXT[principal.source]}</span>}
      {isOther ? (
        <span className="text-ask text-sm">Telemetry names {nameOf(named)}. The owner of the key counts.</span>
      ) : null}
    </span>
  );
}
