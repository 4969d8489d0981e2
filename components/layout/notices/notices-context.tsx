"use client";

import type { LucideIcon } from "lucide-react";
import { createContext, type ReactNode, use, useMemo } from "react";

/** One sentence about everything on a page, in the strip below its header. */
export interface PageNotice {
  readonly id: string;
  /** The accessible name of its region: "Raw capture". */
  readonly label: string;
  readonly kind: "info" | "warning" | "danger";
  readonly icon: LucideIcon;
  readonly text: ReactNode;
  readonly action?: ReactNode;
  /** Names the occurrence that a reader may dismiss; absent where dismissing would hide a present danger. */
  readonly occurrence?: string;
}

const NONE: readonly PageNotice[] = [];
const NoticesContext = createContext(NONE);

export interface NoticesProviderProps {
  /** Null for notices that do not apply now. */
  notices: readonly (PageNotice | null)[];
  children: ReactNode;
}

/** Adds notices to those of the outer providers. */
export function NoticesProvider({ notices, children }: NoticesProviderProps) {
  const outer = use(NoticesContext);
  const all = useMemo(() => [...outer, ...notices.filter((notice) => notice !== null)], [outer, notices]);
  return <NoticesContext value={all}>{children}</NoticesContext>;
}

/** The notices of the page, those of the whole console first. */
export const useNotices = (): readonly PageNotice[] => use(NoticesContext);
