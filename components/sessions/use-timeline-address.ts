"use client";

import { parseAsString, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { parseEventKinds, parseFoldedSessions, timelineInputOf } from "@/components/sessions/query";
import { parseEventKey } from "@/server/recording/event-key-schema";
import type { SessionRef } from "@/server/sessions/schema";

const inUrl = {
  kinds: parseAsString,
  fold: parseAsString,
  event: parseAsString,
  details: parseAsString,
  raw: parseAsString,
};

/** The timeline state in the URL: the kinds, the folded sub-sessions and the selected event. */
export function useTimelineAddress(session: SessionRef) {
  const [url, setUrl] = useQueryStates(inUrl);
  const kinds = useMemo(() => parseEventKinds(url.kinds), [url.kinds]);
  const folded = useMemo(() => parseFoldedSessions(url.fold), [url.fold]);
  const foldedSet = useMemo(() => new Set(folded), [folded]);
  const input = useMemo(() => timelineInputOf(session, kinds, folded), [session, kinds, folded]);
  // Kinds and folds are of the flat list; an address that names some opens it.
  const isRaw = url.raw !== null || kinds.length > 0 || folded.length > 0;
  const selected = useMemo(() => parseEventKey(url.event), [url.event]);
  return { url, setUrl, kinds, folded, foldedSet, input, isRaw, selected };
}

export type TimelineAddress = ReturnType<typeof useTimelineAddress>;
