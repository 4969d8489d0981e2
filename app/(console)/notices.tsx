"use client";

import type { ReactNode } from "react";
import { useRawNotice } from "@/components/audit/use-raw-notice";
import { useBudgetNotice } from "@/components/budgets/use-budget-notice";
import { useCircuitNotices } from "@/components/circuit-breakers/use-circuit-notices";
import { useMonitoredRulesNotice } from "@/components/decisions/rules/use-monitored-rules-notice";
import { useHaltNotice } from "@/components/halts/use-halt-notice";
import { NoticesProvider } from "@/components/layout/notices/notices-context";
import { useLagNotice } from "@/components/layout/notices/use-lag-notice";
import { useBrowserNotices } from "@/components/notices/use-browser-notices";
import { useFreezeNotice } from "@/components/policies/rollout/use-freeze-notice";
import { useObservedNotices } from "@/components/policies/rollout/use-observed-notices";

/** On every page. */
export function ConsoleNotices({ children }: { children: ReactNode }) {
  useBrowserNotices();
  const notices = [useHaltNotice(), useRawNotice(), useFreezeNotice(), useMonitoredRulesNotice(), useLagNotice()];
  return <NoticesProvider notices={notices}>{children}</NoticesProvider>;
}

/** Where one looks for whether everything works. */
export function OverviewNotices({ children }: { children: ReactNode }) {
  const notices = [...useCircuitNotices(), useBudgetNotice(), ...useObservedNotices()];
  return <NoticesProvider notices={notices}>{children}</NoticesProvider>;
}

export function CostNotices({ children }: { children: ReactNode }) {
  return <NoticesProvider notices={[useBudgetNotice()]}>{children}</NoticesProvider>;
}

export function PoliciesNotices({ children }: { children: ReactNode }) {
  return <NoticesProvider notices={useObservedNotices()}>{children}</NoticesProvider>;
}

/** The notices of a policy, except for shadow mode, which has its own banner with its results. */
export function PolicyNotices({ policyId, children }: { policyId: string; children: ReactNode }) {
  return <NoticesProvider notices={useCircuitNotices(policyId)}>{children}</NoticesProvider>;
}
