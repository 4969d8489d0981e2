import type { Metadata } from "next";
import { titleOf } from "@/components/layout/nav";
import { RulesPage } from "@/components/policies/check/rules-page";

export const metadata: Metadata = { title: titleOf("/policies/rules") };

export default function Page() {
  return <RulesPage />;
}
