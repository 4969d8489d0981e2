"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useNotificationPermission } from "@/components/layout/notices/notification-permission";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import type { NoticeView } from "@/server/notices/schema";

/** Shows new notices as notifications of this browser, from every page, while nobody looks at it. */
export function useBrowserNotices(): void {
  useLiveQueries(["notices"]);
  const trpc = useTRPC();
  const isGranted = useNotificationPermission() === "granted";
  const { data } = useQuery(trpc.notices.forBrowser.queryOptions(undefined, { enabled: isGranted }));
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    // Synchronises with the browser's notifications. What was there when the page was opened is no news.
    if (data === undefined) return;
    const fresh = known.current === null ? [] : data.filter(({ key }) => !known.current?.has(key));
    known.current = new Set(data.map(({ key }) => key));
    if (document.hidden || !document.hasFocus()) for (const notice of fresh) show(notice);
  }, [data]);
}

/** Tabs share the tag, so one notice is one notification. Opening it answers nothing. */
function show({ key, title, says, path }: NoticeView): void {
  const shown = new Notification(title, { body: says, tag: key });
  shown.onclick = () => {
    window.focus();
    window.location.assign(path);
    shown.close();
  };
}
