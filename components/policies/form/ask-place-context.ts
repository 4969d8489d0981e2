"use client";

import { createContext, useContext } from "react";
import type { AskPlace } from "@/server/packs/schema";

export interface AskPlaceChoice {
  readonly place: AskPlace;
  readonly change: (place: AskPlace) => void;
}

/** Null on an event whose questions have no choice of place. */
export const AskPlaceContext = createContext<AskPlaceChoice | null>(null);

export const useAskPlace = (): AskPlaceChoice | null => useContext(AskPlaceContext);
