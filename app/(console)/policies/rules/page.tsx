import type { Metadata } from "next";
import { RulesPage } from "@/components/policies/check/rules-page";

export const metadata: Metadata = { title: "Lint rules" };

export default function Page() {
  return <RulesPage />;
}
