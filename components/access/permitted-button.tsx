"use client";

import type { ComponentProps } from "react";
import { DisabledWithoutPermission } from "@/components/access/permission";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import type { Permission } from "@/server/access/permissions";

interface PermittedButtonProps extends ComponentProps<typeof Button> {
  to: Permission;
  /** Classes that place the button, such as `ml-auto`: a refused button has a wrapper, which takes them too. */
  place?: string | undefined;
}

/** A button that those without the permission see and cannot press. */
export function PermittedButton({ to, disabled, place, className, ...button }: PermittedButtonProps) {
  return (
    <DisabledWithoutPermission to={to} className={place}>
      {(isRefused) => <Button {...button} className={cn(place, className)} disabled={isRefused || disabled} />}
    </DisabledWithoutPermission>
  );
}
