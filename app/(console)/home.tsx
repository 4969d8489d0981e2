"use client";

import type { ReactNode } from "react";
import { useFiringAlerts } from "@/components/alerts/use-firing-alerts";
import { useWaitingApprovals } from "@/components/approvals/use-waiting-approvals";
import { HomePage } from "@/components/overview/home-page";
import { useGateGaps } from "@/components/overview/use-gate-gaps";
import { useWaitingReviews } from "@/components/policies/review/use-waiting-reviews";

/** Home with the things of each feature that wait for the reader. */
export function Home({ checklist }: { checklist: ReactNode }) {
  const waiting = [useWaitingApprovals(), useFiringAlerts(), useWaitingReviews(), useGateGaps()];
  return <HomePage waiting={waiting} checklist={checklist} />;
}
