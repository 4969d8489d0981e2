"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useNotificationPermission } from "@/components/layout/notices/notification-permission";
import { showNotice } from "@/components/notices/show-notice";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";

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
    if (document.hidden || !document.hasFocus()) for (const notice of fresh) showNotice(notice).catch(ignore);
  }, [data]);
}

/** Of a browser that shows none after all: the notice stands on the page Notices. */
const ignore = (): void => undefined;
