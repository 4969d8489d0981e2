"use client";

import { Command, LogOut, PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { type Attention, AttentionBadge, useAttention } from "@/components/layout/attention";
import { Brand } from "@/components/layout/brand";
import { ConnectionState } from "@/components/layout/connection-state";
import { type NavPage, navGroups, pageOf } from "@/components/layout/nav";
import { useShell } from "@/components/layout/shell-context";
import { ThemeMenu } from "@/components/layout/theme-menu";
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
  compact: boolean;
  /** Absent in the phone's drawer. */
  onToggle?: (() => void) | undefined;
  onNavigate?: (() => void) | undefined;
  onSignOut: () => void;
}

/** The rail: pages in groups, the person, the theme and the connection at the foot. */
export function Rail({ person, workspace, compact, onToggle, onNavigate, onSignOut }: RailProps) {
  const current = pageOf(usePathname());
  const { openPalette } = useShell();
  const attention = useAttention();
  return (
    <div className="flex h-full flex-col bg-sunken">
      <div className={cn("flex h-12 shrink-0 items-center", compact ? "justify-center" : "px-4")}>
        <Link href="/" onClick={() => onNavigate?.()} className="min-w-0 rounded-sm" title={workspace}>
          <Brand compact={compact} />
        </Link>
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
        {navGroups.map(({ label, pages }) => (
          <Group key={label} label={label} compact={compact}>
            {pages.map((page) => (
              <li key={page.href}>
                <PageLink
                  page={page}
                  compact={compact}
                  isCurrent={current === page}
                  attention={page.badge && attention[page.badge]}
                  onNavigate={onNavigate}
                />
              </li>
            ))}
          </Group>
        ))}
      </nav>
      <div className="flex flex-col gap-1 border-line border-t p-2">
        <ConnectionState compact={compact} />
        <div className={cn("flex items-center", compact ? "flex-col gap-1" : "gap-0.5 pl-2")}>
          {compact ? null : (
            <span className="min-w-0 flex-1 truncate text-muted text-sm" title={`Signed in as ${person}`}>
              {person}
            </span>
          )}
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

/** A titled group of pages; a line replaces the title where there is no room. */
function Group({ label, compact, children }: { label: string | null; compact: boolean; children: ReactNode }) {
  const isNamed = label !== null && !compact;
  return (
    <div className="group/nav mb-2">
      {isNamed ? (
        <p aria-hidden className="flex h-6 items-center px-2 font-medium text-faint text-xs">
          {label}
        </p>
      ) : (
        <hr className="mb-2 border-line group-first/nav:hidden" />
      )}
      <ul aria-label={label ?? undefined} className="flex flex-col gap-px">
        {children}
      </ul>
    </div>
  );
}

interface PageLinkProps {
  page: NavPage;
  compact: boolean;
  isCurrent: boolean;
  attention: Attention | undefined;
  onNavigate: (() => void) | undefined;
}

function PageLink({ page, compact, isCurrent, attention, onNavigate }: PageLinkProps) {
  const words = attention ? `${page.label}: ${attention.words}` : page.label;
  return (
    <Tooltip content={compact ? words : null} side="right">
      <Link
        href={page.href}
        onClick={() => onNavigate?.()}
        aria-current={isCurrent ? "page" : undefined}
        className={cn(
          "relative flex h-7 items-center gap-2 rounded-md text-muted transition-colors hover:bg-pressed hover:text-text aria-[current]:bg-pressed aria-[current]:font-medium aria-[current]:text-text max-md:h-10",
          compact ? "justify-center" : "px-2",
        )}
      >
        <page.icon aria-hidden className={cn("size-4 shrink-0", isCurrent && "text-accent-text")} strokeWidth={1.75} />
        <span className={compact ? "sr-only" : ""}>{page.label}</span>
        {attention ? <AttentionBadge attention={attention} compact={compact} /> : null}
      </Link>
    </Tooltip>
  );
}
