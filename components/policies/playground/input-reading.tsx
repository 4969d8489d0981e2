"use client";

import { useDeferredValue, useMemo } from "react";
import { callOf } from "@/components/tool-call/call-of";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Section } from "@/components/ui/section";

const ReadCall = loadWhenOpened(() => import("@/components/tool-call/read-call").then((one) => one.ReadCall));

/** The call in the input as the engine reads it, updated a moment after typing. */
export function InputReading({ input }: { input: Readonly<Record<string, unknown>> | null }) {
  const shown = useDeferredValue(input);
  const call = useMemo(() => callOf(shown), [shown]);
  if (call === null) return null;
  return (
    <Section title="Commands, paths and hosts" aside="as rules see this input">
      <ReadCall call={call} />
    </Section>
  );
}
