"use client";

import { Bell } from "lucide-react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { actOf, numberOf } from "@/components/approvals/labels";
import { Button } from "@/components/ui/button";
import type { ApprovalView } from "@/server/approvals/schema";

/** Has this browser say when a call waits, while a tab of this page is open. */
export function NotifyButton({ open }: { open: readonly ApprovalView[] }) {
  const granted = useSyncExternalStore(noChange, permissionNow, () => "unknown");
  const [asked, setAsked] = useState<string | null>(null);
  const permission = asked ?? granted;
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    const fresh = known.current === null ? [] : open.filter(({ id }) => !known.current?.has(id));
    known.current = new Set(open.map(({ id }) => id));
    if (permission === "granted" && document.hidden) for (const request of fresh) notify(request);
  }, [open, permission]);
  if (permission !== "default") return null;
  return (
    <Button onClick={() => void Notification.requestPermission().then(setAsked)}>
      <Bell aria-hidden /> Notify me here
    </Button>
  );
}

const noChange = () => () => undefined;
const permissionNow = (): string => (typeof Notification === "undefined" ? "unknown" : Notification.permission);

/** Neither the input nor the reason: a locked screen shows it too. */
function notify(request: ApprovalView): void {
  const said = new Notification(`${numberOf(request)}: ${request.agentName} waits for an answer`, {
    body: `It ${actOf(request)}.`,
    tag: request.id,
  });
  said.onclick = () => {
    window.focus();
    document.getElementById(numberOf(request))?.scrollIntoView({ block: "start" });
  };
}
