"use client";

import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

type BrowserPermission = NotificationPermission | "unsupported" | "unknown";
const current = (): BrowserPermission =>
  typeof Notification === "undefined" ? "unsupported" : Notification.permission;

/** True if this browser may show notifications, as the person said; unknown on the server. */
export const useNotificationPermission = (): BrowserPermission =>
  useSyncExternalStore(subscribe, current, () => "unknown");

/** Has the browser ask the person. */
export async function askNotificationPermission(): Promise<void> {
  await Notification.requestPermission();
  for (const listener of listeners) listener();
}
