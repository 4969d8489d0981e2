"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useGatewayStatus } from "@/components/layout/use-gateway-status";
import type { CardProps } from "@/components/overview/cards/card-props";
import { describeGateHealth } from "@/components/overview/gate-health";
import { describeGateState } from "@/components/overview/gate-state";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { useNow } from "@/components/ui/format/clock";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Skeleton } from "@/components/ui/skeleton";
import { toneLook } from "@/components/ui/tone";

/** The first thing to read: the gateway's own health, and the state of the gate while it answers. */
export function GateLine({ input, during }: Pick<CardProps, "input" | "during">) {
  const trpc = useTRPC();
  const { data: start } = useQuery(trpc.overview.start.queryOptions());
  const { data: sums } = useQuery({ ...trpc.overview.summary.queryOptions(input), placeholderData: (known) => known });
  const { data: halted } = useQuery(trpc.halts.inForce.queryOptions());
  const { data: gaps } = useQuery(trpc.overview.gaps.queryOptions());
  const heard = useGatewayStatus();
  const nowMs = useNow(1_000) ?? 0;
  const health = describeGateHealth(heard, nowMs);
  const isHalted = halted?.first?.scope === "workspace";
  const state = health ?? (sums && start && gaps && describeGateState(sums, start, during, isHalted, gaps));
  if (!state) return <Skeleton className="h-14" />;
  const { tone, word, sentence, action } = state;
  return (
    <section
      aria-label="The gate"
      className={cn(
        "flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 rounded-md border px-4 py-3 max-sm:min-h-24",
        toneLook[tone].tag,
        "text-text",
      )}
    >
      <Mark tone={tone} label={word} look="large" className="bg-surface" />
      <p className="min-w-60 flex-1 text-md">{sentence}</p>
      {action ? (
        <Button asChild>
          <Link href={action.href}>
            {action.label} <ArrowRight aria-hidden />
          </Link>
        </Button>
      ) : null}
    </section>
  );
}
