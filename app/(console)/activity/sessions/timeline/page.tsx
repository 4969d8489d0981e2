import type { Metadata } from "next";
import { HydrateClient, prefetch, trpc } from "@/app/prefetch";
import { parseEventKinds, parseFoldedSessions, parseSessionRef, timelineInputOf } from "@/components/sessions/query";
import { TimelinePage } from "@/components/sessions/timeline-page";
import { parseEventKey } from "@/server/recording/event-key-schema";

export const metadata: Metadata = { title: "Session" };

interface PageProps {
  searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

export default async function Page({ searchParams }: PageProps) {
  const params = await searchParams;
  const text = (name: string) => [params[name]].flat()[0] ?? null;
  const ref = parseSessionRef(text("agent"), text("session"));
  const event = parseEventKey(text("event"));
  const folded = parseFoldedSessions(text("fold"));
  await prefetch(
    ...(ref ? [trpc.sessions.outline.queryOptions(timelineInputOf(ref, parseEventKinds(text("kinds")), folded))] : []),
    ...(event ? [trpc.sessions.event.queryOptions(event)] : []),
  );
  return (
    <HydrateClient>
      <TimelinePage />
    </HydrateClient>
  );
}
