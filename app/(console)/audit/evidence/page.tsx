import type { Metadata } from "next";
import { EvidencePage } from "@/components/audit/evidence-page";
import { titleOf } from "@/components/layout/nav";

export const metadata: Metadata = { title: titleOf("/audit/evidence") };

export default function Page() {
  return <EvidencePage />;
}
