"use client";

import type { ComponentProps } from "react";
import { DisabledWithoutPermission } from "@/components/access/permission";
import { Button } from "@/components/ui/button";
import type { Permission } from "@/server/access/permissions";

/** A button that those without the permission see and cannot press. */
export function PermittedButton({ to, disabled, ...button }: ComponentProps<typeof Button> & { to: Permission }) {
  return (
    <DisabledWithoutPermission to={to} className={button.className}>
      {(isRefused) => <Button {...button} disabled={isRefused || disabled} />}
    </DisabledWithoutPermission>
  );
}
