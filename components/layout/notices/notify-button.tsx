"use client";

import { Bell } from "lucide-react";
import {
  askNotificationPermission,
  useNotificationPermission,
} from "@/components/layout/notices/notification-permission";
import { Button } from "@/components/ui/button";

/** Has this browser show notices while a tab is open; gone once the person has said yes or no. */
export function NotifyButton() {
  if (useNotificationPermission() !== "default") return null;
  return (
    <Button onClick={() => void askNotificationPermission()}>
      <Bell aria-hidden /> Notify me here
    </Button>
  );
}
