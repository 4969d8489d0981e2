"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { createContext, type ReactNode, use, useState } from "react";
import { type NavTab, tabOf } from "@/components/layout/nav";
import { addressOf, isSameTravelling, nothingTravels, travellingFrom } from "@/components/layout/travel";

const TravelContext = createContext(nothingTravels);

/** Follows the pages that a person visits, so that links keep the range and the agent or tag in view. */
export function TravelProvider({ children }: { children: ReactNode }) {
  const pathname = usePathname();
  const params = useSearchParams();
  const [kept, setKept] = useState(nothingTravels);
  const current = travellingFrom(tabOf(pathname), params, kept);
  if (!isSameTravelling(current, kept)) setKept(current);
  return <TravelContext value={kept}>{children}</TravelContext>;
}

/** Makes the addresses of tabs with what travels. */
export function useTabAddress(): (tab: NavTab) => string {
  const travelling = use(TravelContext);
  return (tab) => addressOf(tab, travelling);
}
