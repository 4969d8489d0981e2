"use client";

import { OctagonX } from "lucide-react";
import { useCommands } from "@/components/layout/commands";
import { type StopTarget, useStop } from "@/components/layout/stop/stop-context";

const ANYTHING: StopTarget = {};

/** Adds the stop of agents to the palette, set to the page's target. */
export function useStopCommand(target: StopTarget = ANYTHING): void {
  const stop = useStop();
  useCommands([
    {
      ...{ id: "agents.stop", label: "Stop agents", icon: OctagonX, group: "Actions", to: "halt:write" },
      ...{ keywords: ["kill switch", "halt", "emergency", "pause agents", "quarantine"], run: () => stop?.(target) },
    },
  ]);
}
