"use client";

import { callReading, readRecordedCall } from "@quarterdeck/hooks/reading/call-reading";
import { useMemo } from "react";
import { CallReadingView } from "@/components/tool-call/call-reading";

export interface ShownCall {
  readonly tool: string;
  readonly input: unknown;
  readonly directory: string | null;
}

/** A call read in the browser, by the code that decides on the server. */
export function ReadCall({ call }: { call: ShownCall }) {
  const reading = useMemo(() => callReading(readRecordedCall(call)), [call]);
  return <CallReadingView reading={reading} />;
}
