"use client";

import { ArrowUp } from "lucide-react";
import type { ReactNode } from "react";

export interface PillProps {
  children: ReactNode;
  onClick: () => void;
  /** The list announces its new rows itself. */
  isQuiet?: boolean | undefined;
}

/** "12 new": floats over a list, and scrolls to its top. The parent is `relative`. */
export function Pill({ children, onClick, isQuiet = false }: PillProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="-translate-x-1/2 absolute left-1/2 z-20 inline-flex h-7 animate-fade items-center gap-1.5 rounded-full bg-accent px-3 font-medium text-on-accent text-sm shadow-overlay hover:bg-accent-hover"
    >
      <ArrowUp aria-hidden className="size-3.5" />
      <span aria-live={isQuiet ? "off" : "polite"}>{children}</span>
    </button>
  );
}
