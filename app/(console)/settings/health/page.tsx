import type { Metadata } from "next";
import { HealthPage } from "@/components/health/health-page";
import { titleOf } from "@/components/layout/nav";

export const metadata: Metadata = { title: titleOf("/settings/health") };

/** Examined once the page is drawn: the checks take their time. */
export default function Page() {
  return <HealthPage />;
}
