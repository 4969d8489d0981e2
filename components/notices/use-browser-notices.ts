"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useNotificationPermission } from "@/components/layout/notices/notification-permission";
import { showNotice } from "@/components/notices/show-notice";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";

/** Shows new notices as browser notifications, from every page, while the tab is hidden. */
export function useBrowserNotices(): void {
  useLiveQueries(["notices"]);
  const trpc = useTRPC();
  const isGranted = useNotificationPermission() === "granted";
  const { data } = useQuery(trpc.notices.forBrowser.queryOptions(undefined, { enabled: isGranted }));
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    // Synchronises with the browser's notifications. Notices that existed when the page opened are not new.
    if (data === undefined) return;
    const fresh = known.current === null ? [] : data.filter(({ key }) => !known.current?.has(key));
    known.current = new Set(data.map(({ key }) => key));
    if (document.hidden || !document.hasFocus()) for (const notice of fresh) showNotice(notice).catch(ignore);
  }, [data]);
}

/** If the browser shows no notification, the notice is still on the Notices page. */
const ignore = (): void => undefined;
