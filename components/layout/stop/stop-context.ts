"use client";

import { createContext, use } from "react";
import type { HaltScope } from "@/server/halts/schema";

/** The target that the Stop dialog opens with; without a scope, the person chooses. */
export interface StopTarget {
  readonly scope?: HaltScope;
  readonly agent?: { readonly id: string; readonly name: string };
  readonly group?: { readonly id: string; readonly name: string };
  /** A session of `agent`. */
  readonly sessionId?: string;
}

const StopContext = createContext<((target: StopTarget) => void) | null>(null);
export const StopProvider = StopContext.Provider;

/** Opens the Stop dialog; null outside of the signed-in pages. */
export const useStop = (): ((target: StopTarget) => void) | null => use(StopContext);
