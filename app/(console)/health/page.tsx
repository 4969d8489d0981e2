import type { Metadata } from "next";
import { HealthPage } from "@/components/health/health-page";

export const metadata: Metadata = { title: "Health" };

/** Examined once the page is drawn: the checks take their time. */
export default function Page() {
  return <HealthPage />;
}
