"use client";

import { useMemo } from "react";
import { callInText, callOf } from "@/components/tool-call/call-of";
import type { ShownCall } from "@/components/tool-call/read-call";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Section } from "@/components/ui/section";
import type { DecisionDetail } from "@/server/decisions/schema";

const ReadCall = loadWhenOpened(() => import("@/components/tool-call/read-call").then((one) => one.ReadCall));

/** The recorded call; only the arguments if the input is truncated. */
export function useRecordedCall({ input, tool, toolInput }: DecisionDetail): ShownCall | null {
  return useMemo(
    () => (input.isCut ? callOf(toolInput && { tool_name: tool, tool_input: toolInput }) : callInText(input.text)),
    [input, tool, toolInput],
  );
}

/** The recorded call as it was understood. */
export function ReadRecorded({ call }: { call: ShownCall | null }) {
  if (call === null) return null;
  return (
    <Section title="Commands, paths and hosts" aside="read from the recorded input, where secrets are masked">
      <ReadCall call={call} />
    </Section>
  );
}
