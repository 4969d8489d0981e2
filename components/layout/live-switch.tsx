"use client";

import { Pause, Radio } from "lucide-react";
import type { ConnectionStatus } from "@/components/trpc/connection";
import { useConnection } from "@/components/trpc/live-queries";
import { IconButton } from "@/components/ui/icon-button";

const WORDS: Readonly<Record<ConnectionStatus, string>> = {
  connecting: "Connecting",
  live: "Live",
  paused: "Paused",
  reconnecting: "Not live",
  stale: "Not live",
};

/**
 * Holds the page still, or lets it follow. Not remembered: a page opened tomorrow is live. The state of the connection
 * is at the foot of the rail.
 */
export function LiveSwitch() {
  const { connection, pause, resume } = useConnection();
  const paused = connection.status === "paused";
  return (
    <IconButton
      icon={paused ? Pause : Radio}
      size="lg"
      side="bottom"
      aria-pressed={paused}
      label={`${WORDS[connection.status]}: ${paused ? "follow live updates" : "hold the page still"}`}
      onClick={paused ? resume : pause}
      className={connection.status === "live" ? "text-allow" : ""}
    />
  );
}
