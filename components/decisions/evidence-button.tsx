"use client";

import type { DecisionsInput } from "@/components/decisions/query";
import { EvidenceAction } from "@/components/tool-call/evidence-action";

/** Saves the decisions in the list as evidence that proves itself. */
export function EvidenceButton({ input: { range, filters } }: { input: DecisionsInput }) {
  return <EvidenceAction asked={{ range, filters }} />;
}
