"use client";

import type { ReactNode } from "react";
import { usePermission } from "@/components/access/permission";
import { Notice } from "@/components/ui/notice";
import type { Permission } from "@/server/access/permissions";

/** A part of a page; a person without the permission sees which roles have it. */
export function Readable({ to, children }: { to: Permission; children: ReactNode }) {
  const { reason } = usePermission(to);
  return reason === null ? children : <Notice>{reason}</Notice>;
}
