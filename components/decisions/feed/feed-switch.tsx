"use client";

import { Pause, Play } from "lucide-react";
import type { Frozen } from "@/components/decisions/feed/use-frozen";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { Tooltip } from "@/components/ui/tooltip";

const GROUP = "Live feed";

/** Stops the list where it is, or lets it follow again; its keys step back and forth. */
export function FeedSwitch({ frozen }: { frozen: Frozen }) {
  useLiveQueries(["decisions", "calls", "approvals"]);
  const { at, freeze, resume, step } = frozen;
  const toggle = () => (at === null ? freeze(new Date()) : resume());
  useHotkey("p", toggle, { label: "Pause, or resume", group: GROUP });
  useHotkey(",", () => step(-1), { label: "Step back a minute", group: GROUP });
  useHotkey(".", () => step(1), { label: "Step forward a minute", group: GROUP, enabled: at !== null });
  return (
    <Tooltip
      content={at === null ? "Pause live updates of the list (p)" : "Resume live updates of the list (p)"}
      side="bottom"
    >
      <Button
        variant="ghost"
        aria-label={at === null ? "Live: pause the list" : "Paused: resume the list"}
        onClick={toggle}
      >
        {at === null ? <Pause aria-hidden /> : <Play aria-hidden />}
        <span className="max-sm:hidden">{at === null ? "Pause" : "Resume"}</span>
      </Button>
    </Tooltip>
  );
}
