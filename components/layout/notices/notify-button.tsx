"use client";

import { Bell } from "lucide-react";
import {
  askNotificationPermission,
  useNotificationPermission,
} from "@/components/layout/notices/notification-permission";
import { Button } from "@/components/ui/button";

/** Asks for the permission to show browser notifications while a tab is open; hidden after the answer. */
export function NotifyButton() {
  if (useNotificationPermission() !== "default") return null;
  return (
    <Button onClick={() => void askNotificationPermission()}>
      <Bell aria-hidden /> Notify me here
    </Button>
  );
}
