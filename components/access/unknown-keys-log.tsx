"use client";

import { useQuery } from "@tanstack/react-query";
import { usePermission } from "@/components/access/permission";
import { RequestLog } from "@/components/access/request-log";
import { useTRPC } from "@/components/trpc/client";
import { Section } from "@/components/ui/section";

const REFRESH_MS = 15_000;

/** The refused requests with keys that belong to no agent and no service account; shown once there are some. */
export function UnknownKeysLog() {
  const trpc = useTRPC();
  const { isGranted } = usePermission("people:read");
  const query = useQuery({
    ...trpc.requestLog.ofUnknownKeys.queryOptions(),
    refetchInterval: REFRESH_MS,
    enabled: isGranted,
  });
  const isEmpty = query.data === undefined || (query.data.rows.length === 0 && query.data.notLogged === 0);
  if (!isGranted || isEmpty) return null;
  return (
    <Section title="Unknown keys" aside="Requests refused in the last 7 days">
      <RequestLog query={query} of="unknown keys" />
    </Section>
  );
}
