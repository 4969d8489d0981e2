"use client";

import { ChevronRight, Menu as MenuIcon } from "lucide-react";
import type { ReactNode } from "react";
import { LiveSwitch } from "@/components/layout/live-switch";
import { NoticeStrip } from "@/components/layout/notices/notice-strip";
import { useShell } from "@/components/layout/shell-context";
import { StopButton } from "@/components/layout/stop/stop-button";
import type { StopTarget } from "@/components/layout/stop/stop-context";
import type { PresetText } from "@/components/layout/time-range/range";
import { TimeRangePicker } from "@/components/layout/time-range/time-range-picker";
import { ViewsMenu } from "@/components/layout/views/views-menu";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import type { ViewPage } from "@/server/views/schema";

export interface PageHeaderProps {
  title: ReactNode;
  /** The outermost first: `[{ label: "Policies", href: "/policies" }]`. */
  crumbs?: readonly { label: ReactNode; href: string }[];
  /** Right of the title: a state, a version. */
  aside?: ReactNode;
  /**
   * The page follows a time range; `{ fallback: "7d" }` sets the range of an empty URL, `{ all: true }` offers all
   * time.
   */
  range?: boolean | { fallback?: PresetText; all?: boolean };
  /** The page follows the server and can be held still. */
  live?: boolean;
  /** Offers the saved views of this page. */
  views?: ViewPage;
  /** Quiet actions before the primary one. */
  actions?: ReactNode;
  /** One primary action a page. */
  primary?: ReactNode;
  /** The target of "Stop…" on a page of one agent or session. */
  stop?: StopTarget | undefined;
}

/** The 48 px on top of every page, and below them its notices. */
export function PageHeader(props: PageHeaderProps) {
  const { title, crumbs = [], aside, range, live, views, actions, primary, stop } = props;
  const { openNav } = useShell();
  return (
    <>
      <header
        className="flex h-12 shrink-0 items-center gap-2 border-line border-b bg-canvas px-4 max-sm:gap-1 max-sm:px-3 md:px-6"
        data-page-header
      >
        <IconButton icon={MenuIcon} label="Open the pages" onClick={openNav} size="lg" className="-ml-2 md:hidden" />
        {crumbs.length > 0 ? (
          <nav aria-label="Breadcrumb" className="flex min-w-0 items-center gap-1 text-muted max-sm:hidden">
            {crumbs.map((crumb) => (
              <span key={crumb.href} className="flex items-center gap-1">
                <Link href={crumb.href} className="truncate rounded-sm hover:text-text">
                  {crumb.label}
                </Link>
                <ChevronRight aria-hidden className="size-3 text-faint" />
              </span>
            ))}
          </nav>
        ) : null}
        <h1 className="truncate text-md sm:text-lg md:text-xl">{title}</h1>
        {aside ? <div className="flex min-w-0 items-center gap-2 text-muted max-sm:hidden">{aside}</div> : null}
        <div className="ml-auto flex shrink-0 items-center gap-0.5 sm:gap-1" data-no-print>
          {range ? <TimeRangePicker {...(typeof range === "object" ? range : {})} /> : null}
          {live ? <LiveSwitch /> : null}
          {views ? <ViewsMenu page={views} /> : null}
          {actions}
          <StopButton {...(stop ? { target: stop } : {})} isNarrowing className="sm:ml-1" />
          {primary ? <div className="ml-0.5 sm:ml-1">{primary}</div> : null}
        </div>
      </header>
      <NoticeStrip />
    </>
  );
}
