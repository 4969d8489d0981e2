"use client";

import type { ReactNode } from "react";
import { usePermissions } from "@/components/access/permission";
import { useFiringAlerts } from "@/components/alerts/use-firing-alerts";
import { useWaitingApprovals } from "@/components/approvals/use-waiting-approvals";
import { forOthers } from "@/components/layout/waiting/waiting-row";
import { HomePage } from "@/components/overview/home-page";
import { useGateGaps } from "@/components/overview/use-gate-gaps";
import { useWaitingReviews } from "@/components/policies/review/use-waiting-reviews";

/** Home with the things of each feature that wait for the reader. */
export function Home({ checklist }: { checklist: ReactNode }) {
  const may = usePermissions();
  const [alerts, gaps] = [useFiringAlerts(), useGateGaps()];
  const waiting = [
    useWaitingApprovals(),
    may("alert:write").isGranted ? alerts : forOthers(alerts),
    useWaitingReviews(),
    may("policy:publish").isGranted ? gaps : forOthers(gaps),
  ];
  return <HomePage waiting={waiting} checklist={checklist} />;
}
