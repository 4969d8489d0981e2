"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useTRPC } from "@/components/trpc/client";
import { cn } from "@/components/ui/cn";
import { Tooltip } from "@/components/ui/tooltip";
import type { Permission } from "@/server/access/permissions";

export interface PermissionState {
  readonly isGranted: boolean;
  /** The reason for a refusal, in a sentence; null when granted. */
  readonly reason: string | null;
}

const GRANTED: PermissionState = { isGranted: true, reason: null };

/**
 * The state of a permission for the one who looks. Until the server has answered it is granted here: the server decides
 * again anyway, and a button that comes to life late is pressed twice.
 */
export function usePermission(permission: Permission): PermissionState {
  return usePermissions()(permission);
}

/** The same of any permission, for lists of actions. */
export function usePermissions(): (permission: Permission) => PermissionState {
  const trpc = useTRPC();
  const { data: me } = useQuery(trpc.access.me.queryOptions());
  return (permission) => {
    const row = me?.permissions.find((one) => one.name === permission);
    if (!me || !row || row.isGranted) return GRANTED;
    return { isGranted: false, reason: row.reason ?? `Required role: ${listed(row.roles)}. Your role: ${me.role}.` };
  };
}

const listed = (words: readonly string[]) => new Intl.ListFormat("en", { type: "disjunction" }).format(words);

/** A button for people with the permission; others see it disabled, with the reason. */
export function DisabledWithoutPermission({
  to,
  className,
  children,
}: {
  to: Permission;
  /** Places the wrapper as the button without it would be: `ml-auto`. */
  className?: string | undefined;
  children: (isDisabled: boolean) => ReactElement;
}) {
  const { isGranted, reason } = usePermission(to);
  if (isGranted) return children(false);
  // A disabled button receives no pointer or keyboard events, so its wrapper explains why it is disabled.
  return (
    <Tooltip content={reason}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be reachable by keyboard */}
      <span className={cn("inline-flex", className)} tabIndex={0} title={reason ?? undefined}>
        {children(true)}
      </span>
    </Tooltip>
  );
}
