"use client";

import type { Rule } from "@quarterdeck/hooks/contract/rules/schema";
import { rulesAt } from "@quarterdeck/hooks/contract/text/rules-at";
import { readRecordedCall } from "@quarterdeck/hooks/reading/call-reading";
import { callWithoutSession, decisiveRule, readRules } from "@quarterdeck/hooks/reading/rules-reading";
import { useMemo } from "react";
import type { ShownCall } from "@/components/tool-call/read-call";
import { RulesOutcome } from "@/components/tool-call/rules-outcome";

export interface ReadRulesProps {
  call: ShownCall;
  agent: string | null;
  /** The policy's text, and the place of the hook in it. */
  source: string;
  path: string;
}

/** The rules of one hook on a call. Renders nothing if the text has no rules at this path. */
export function ReadRules({ call, agent, source, path }: ReadRulesProps) {
  const readings = useMemo(() => {
    const rules: readonly Rule[] | null = rulesAt(source, path);
    return rules && readRules(rules, callWithoutSession(readRecordedCall(call), agent));
  }, [call, agent, source, path]);
  return readings && <RulesOutcome rules={readings} decisive={decisiveRule(readings)} />;
}
