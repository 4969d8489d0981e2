"use client";

import { Command, LogOut, PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { usePathname } from "next/navigation";
import { DemoTag } from "@/components/access/demo-tag";
import { type Attention, AttentionBadge, useAttention } from "@/components/layout/attention";
import { Brand } from "@/components/layout/brand";
import { ConnectionState } from "@/components/layout/connection-state";
import { HelpMenu } from "@/components/layout/help/help-menu";
import { type NavPlace, navPlaces, placeOf } from "@/components/layout/nav";
import { placeAttention } from "@/components/layout/place-attention";
import { useShell } from "@/components/layout/shell-context";
import { ThemeMenu } from "@/components/layout/theme-menu";
import { useTabAddress } from "@/components/layout/travel-provider";
import { WorkspaceSwitch } from "@/components/layout/workspace-switch";
import { cn } from "@/components/ui/cn";
import { IconButton } from "@/components/ui/icon-button";
import { Kbd } from "@/components/ui/kbd";
import { Link } from "@/components/ui/link";
import { Tooltip } from "@/components/ui/tooltip";

export interface RailProps {
  /** The person who is signed in. */
  person: string;
  workspace: string;
  /** True if the workspace has demo data. */
  hasDemo: boolean;
  compact: boolean;
  /** Absent in the phone's drawer. */
  onToggle?: (() => void) | undefined;
  onNavigate?: (() => void) | undefined;
  onSignOut: () => void;
}

/** The rail: the places, the person, the theme and the connection at the foot. */
export function Rail({ person, workspace, hasDemo, compact, onToggle, onNavigate, onSignOut }: RailProps) {
  const current = placeOf(usePathname());
  const { openPalette } = useShell();
  const attention = useAttention();
  return (
    <div className="flex h-full flex-col bg-sunken">
      <div className={cn("flex h-12 shrink-0 items-center gap-2", compact ? "justify-center" : "px-4")}>
        <Link href="/" onClick={() => onNavigate?.()} className="min-w-0 rounded-sm" title={workspace}>
          <Brand compact={compact} />
        </Link>
        {hasDemo && !compact ? <DemoTag /> : null}
      </div>
      <WorkspaceSwitch compact={compact} />
      <div className="px-2 pb-2">
        <Tooltip content={compact ? "Search…" : null} side="right">
          <button
            type="button"
            aria-label={compact ? "Search…" : undefined}
            onClick={() => {
              onNavigate?.();
              openPalette();
            }}
            className={cn(
              "flex h-7 w-full items-center gap-2 rounded-md border border-line bg-surface text-faint text-sm transition-colors hover:border-line-strong hover:text-text max-md:h-9",
              compact ? "justify-center" : "px-2",
            )}
          >
            <Command aria-hidden className="size-3.5" />
            {compact ? null : (
              <>
                <span className="flex-1 truncate text-left">Search…</span>
                <Kbd keys="mod+k" className="max-md:hidden" />
              </>
            )}
          </button>
        </Tooltip>
      </div>
      <nav aria-label="Pages" className="min-h-0 flex-1 overflow-y-auto px-2">
        <ul className="flex flex-col gap-px">
          {navPlaces.map((place) => (
            <li key={place.label}>
              <PlaceLink
                place={place}
                compact={compact}
                isCurrent={current === place}
                attention={placeAttention(place.counts, attention)}
                onNavigate={onNavigate}
              />
            </li>
          ))}
        </ul>
      </nav>
      <div className="flex flex-col gap-1 border-line border-t p-2">
        <ConnectionState compact={compact} />
        <div className={cn("flex items-center", compact ? "flex-col gap-1" : "gap-0.5 pl-2")}>
          {compact ? null : (
            <span className="min-w-0 flex-1 truncate text-muted text-sm" title={`Signed in as ${person}`}>
              {person}
            </span>
          )}
          <HelpMenu onNavigate={onNavigate} />
          <ThemeMenu />
          <IconButton icon={LogOut} label="Sign out" side="right" onClick={onSignOut} />
          {onToggle ? (
            <IconButton
              icon={compact ? PanelLeftOpen : PanelLeftClose}
              label={compact ? "Expand sidebar" : "Collapse sidebar"}
              keys="["
              side="right"
              onClick={onToggle}
            />
          ) : null}
        </div>
      </div>
    </div>
  );
}

interface PlaceLinkProps {
  place: NavPlace;
  compact: boolean;
  isCurrent: boolean;
  attention: Attention | null;
  onNavigate: (() => void) | undefined;
}

function PlaceLink({ place, compact, isCurrent, attention, onNavigate }: PlaceLinkProps) {
  const addressOf = useTabAddress();
  const words = attention ? `${place.label}: ${attention.words}` : place.label;
  return (
    <Tooltip content={compact ? words : null} side="right">
      <Link
        href={addressOf(place.tabs[0])}
        onClick={() => onNavigate?.()}
        aria-current={isCurrent ? "true" : undefined}
        className={cn(
          "relative flex h-7 items-center gap-2 rounded-md text-muted transition-colors hover:bg-pressed hover:text-text aria-[current]:bg-pressed aria-[current]:font-medium aria-[current]:text-text max-md:h-10",
          compact ? "justify-center" : "px-2",
        )}
      >
        <place.icon aria-hidden className={cn("size-4 shrink-0", isCurrent && "text-accent-text")} strokeWidth={1.75} />
        <span className={compact ? "sr-only" : ""}>{place.label}</span>
        {attention ? <AttentionBadge attention={attention} compact={compact} /> : null}
      </Link>
    </Tooltip>
  );
}
