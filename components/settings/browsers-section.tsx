"use client";

import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { useMutation } from "@tanstack/react-query";
import { MonitorSmartphone } from "lucide-react";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import type { SecurityView } from "@/server/people/schema";

/** Where one is signed in, and out of there again. */
export function BrowsersSection({
  sessions,
  onChanged,
}: {
  sessions: SecurityView["sessions"];
  onChanged: () => Promise<unknown>;
}) {
  const trpc = useTRPC();
  const told = {
    onSuccess: () => void onChanged(),
    onError: (error: unknown) => toast.error("Sign-out failed", { description: failureSentence(error) }),
  };
  const end = useMutation(trpc.access.endSession.mutationOptions(told));
  const endOthers = useMutation(trpc.access.endOtherSessions.mutationOptions(told));
  return (
    <Section
      title="Signed in"
      framed
      flush
      actions={
        sessions.length > 1 ? (
          <Button size="sm" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            Sign out all other browsers
          </Button>
        ) : null
      }
    >
      <ul className="flex flex-col divide-y divide-line" aria-label="Browsers">
        {sessions.map((session) => (
          <li key={session.id} className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
            <MonitorSmartphone aria-hidden className="size-4 shrink-0 text-faint" />
            <span className="min-w-0 truncate" title={session.userAgent ?? undefined}>
              {session.userAgent === null ? <Missing reason="unknown browser" /> : browserOf(session.userAgent)}
            </span>
            {session.isThis ? <Badge>this browser</Badge> : null}
            <span className="text-muted text-sm">
              {session.ip ?? "an unknown address"}, last seen <RelativeTime at={session.lastSeenAt} />
            </span>
            {session.isThis ? null : (
              <Button
                size="sm"
                className="ml-auto"
                busy={end.isPending && end.variables?.sessionId === session.id}
                onClick={() => end.mutate({ sessionId: session.id })}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The browser and the operating system in a User-Agent, if they are recognised. */
function browserOf(agent: string): string {
  const name = /(Edg|OPR|Firefox|Chrome|Safari)[/ ](\d+)/.exec(agent);
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(agent);
  const names: Readonly<Record<string, string>> = { Edg: "Edge", OPR: "Opera" };
  const browser = name ? `${names[name[1] ?? ""] ?? name[1]} ${name[2]}` : truncateText(agent, 40);
  return system ? `${browser} on ${system[1]}` : browser;
}
