"use client";

import { createContext, use } from "react";

export interface Shell {
  readonly openPalette: () => void;
  readonly openShortcuts: () => void;
  readonly openNav: () => void;
}

const ShellContext = createContext<Shell | null>(null);
export const ShellProvider = ShellContext.Provider;

export function useShell(): Shell {
  const shell = use(ShellContext);
  if (shell === null) throw new Error("AppShell is missing above this component");
  return shell;
}
