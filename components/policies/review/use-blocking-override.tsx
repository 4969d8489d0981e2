"use client";

import type { BlockingRule } from "@quarterdeck/hooks/contract/lint/blocking-rules";
import { type ReactNode, useState } from "react";
import { usePermission } from "@/components/access/permission";
import { blockingRulesOf } from "@/components/policies/review/blocking-rules";
import { isComplete, NOT_TYPED, OverrideInputs } from "@/components/policies/review/override-inputs";
import { Notice } from "@/components/ui/notice";

export interface BlockingOverride {
  /** Called with a failure: its findings are asked to be overridden. */
  note: (error: unknown) => void;
  /** True while the override is asked for and not complete. */
  isHeld: boolean;
  /** The override as it is sent; empty without findings. */
  sent: { readonly override?: { readonly typed: string; readonly reason: string; readonly rules: BlockingRule[] } };
  /** The fields, once findings block. */
  fields: ReactNode;
}

/** The recorded override of findings that block a revision, in a dialog that puts it in force. */
export function useBlockingOverride(policyName: string): BlockingOverride {
  const [rules, setRules] = useState<readonly BlockingRule[]>([]);
  const [typed, setTyped] = useState(NOT_TYPED);
  const mayOverride = usePermission("policy:govern").isGranted;
  const isBlocked = rules.length > 0;
  return {
    note: (error) => setRules((before) => [...new Set([...before, ...blockingRulesOf(error)])]),
    isHeld: isBlocked && !(mayOverride && isComplete(typed, policyName)),
    sent: isBlocked ? { override: { ...typed, rules: [...rules] } } : {},
    fields: !isBlocked ? null : mayOverride ? (
      <OverrideInputs name={policyName} value={typed} onChange={setTyped} />
    ) : (
      <Notice kind="danger">Findings block this revision. Only an admin can override the findings.</Notice>
    ),
  };
}
