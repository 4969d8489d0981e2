"use client";

import { Pause, Radio } from "lucide-react";
import type { ConnectionStatus } from "@/components/trpc/connection";
import { useConnection } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { Tooltip } from "@/components/ui/tooltip";

const WORDS: Readonly<Record<ConnectionStatus, string>> = {
  connecting: "Connecting",
  live: "Live",
  paused: "Paused",
  reconnecting: "Not live",
  stale: "Not live",
};

/** Holds the page still, or lets it follow. Not remembered: a page opened tomorrow is live. */
export function LiveSwitch() {
  const { connection, pause, resume } = useConnection();
  const paused = connection.status === "paused";
  return (
    <Tooltip content={paused ? "Follow again and catch up" : "Hold the page still while you read"} side="bottom">
      <Button
        variant="ghost"
        aria-label={`${WORDS[connection.status]}: ${paused ? "follow live updates" : "hold the page still"}`}
        onClick={paused ? resume : pause}
      >
        {paused ? (
          <Pause aria-hidden />
        ) : (
          <Radio aria-hidden className={connection.status === "live" ? "text-allow" : ""} />
        )}
        <span className="max-sm:hidden">{WORDS[connection.status]}</span>
      </Button>
    </Tooltip>
  );
}
