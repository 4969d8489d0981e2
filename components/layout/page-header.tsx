"use client";

import { ChevronRight } from "lucide-react";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { HelpLink } from "@/components/layout/help/help-link";
import { InboxButton } from "@/components/layout/inbox-button";
import { LiveSwitch } from "@/components/layout/live-switch";
import { MenuButton } from "@/components/layout/menu-button";
import { placeOf, tabOf, titleOf } from "@/components/layout/nav";
import { NoticeStrip } from "@/components/layout/notices/notice-strip";
import { PageTabs } from "@/components/layout/page-tabs";
import { StopButton } from "@/components/layout/stop/stop-button";
import type { StopTarget } from "@/components/layout/stop/stop-context";
import { useStopCommand } from "@/components/layout/stop/use-stop-command";
import type { PresetText } from "@/components/layout/time-range/range";
import { TimeRangePicker } from "@/components/layout/time-range/time-range-picker";
import { ViewsMenu } from "@/components/layout/views/views-menu";
import { cn } from "@/components/ui/cn";
import { Link } from "@/components/ui/link";
import type { ViewPage } from "@/server/views/schema";

interface Crumb {
  readonly label: ReactNode;
  readonly href: string;
}

export interface PageHeaderProps {
  /** By default the title of the page in the navigation. */
  title?: ReactNode;
  /** The outermost first: `[{ label: "Policies", href: "/policies" }]`. By default the place of the page. */
  crumbs?: readonly Crumb[];
  /** Right of the title: a state, a version. */
  aside?: ReactNode;
  /** Shows `aside` on a phone too. */
  isAsideOnPhone?: boolean;
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

/** The 48 px on top of every page, and below them the tabs of its place and its notices. */
export function PageHeader(props: PageHeaderProps) {
  const { aside, isAsideOnPhone, range, live, views, actions, primary, stop } = props;
  const pathname = usePathname();
  const title = props.title ?? titleOf(pathname);
  const crumbs = props.crumbs ?? placeCrumbs(pathname);
  useStopCommand(stop);
  return (
    <>
      <header
        className="flex h-12 shrink-0 items-center gap-2 border-line border-b bg-canvas px-4 max-sm:gap-1 max-sm:px-3 md:px-6"
        data-page-header
      >
        <MenuButton />
        {crumbs.length > 0 ? (
          <nav aria-label="Breadcrumb" className="flex min-w-0 items-center gap-1 text-muted max-md:hidden">
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
        <HelpLink />
        {aside ? (
          <div className={cn("flex min-w-0 items-center gap-2 text-muted", !isAsideOnPhone && "max-sm:hidden")}>
            {aside}
          </div>
        ) : null}
        <div className="ml-auto flex shrink-0 items-center gap-0.5 sm:gap-1" data-no-print>
          {range ? <TimeRangePicker {...(typeof range === "object" ? range : {})} /> : null}
          {live ? <LiveSwitch /> : null}
          {views ? <ViewsMenu page={views} /> : null}
          {actions}
          <InboxButton />
          <StopButton {...(stop ? { target: stop } : { label: "Stop agents…" })} isNarrowing className="sm:ml-1" />
          {primary ? <div className="ml-0.5 sm:ml-1">{primary}</div> : null}
        </div>
      </header>
      <PageTabs />
      <NoticeStrip />
    </>
  );
}

/** The place of a tab, unless the tab's title already names it. */
function placeCrumbs(pathname: string): readonly Crumb[] {
  const place = placeOf(pathname);
  const tab = tabOf(pathname);
  if (!place || !tab || titleOf(pathname) === place.label) return [];
  return [{ label: place.label, href: place.tabs[0].href }];
}
