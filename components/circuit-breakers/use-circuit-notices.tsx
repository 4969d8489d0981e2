"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { ZapOff } from "lucide-react";
import { PermittedButton } from "@/components/access/permitted-button";
import { HookPlace } from "@/components/layout/hook-place";
import type { PageNotice } from "@/components/layout/notices/notices-context";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { toast } from "@/components/ui/toast";
import type { CircuitView } from "@/server/circuit-breakers/schema";

/** No event reports that a circuit closed by itself, so the state is polled. */
const ASK_EVERY_MS = 10_000;
const SHOWN_MAX = 5;

/** The hooks that failed too often and are paused; of one policy, or all. */
export function useCircuitNotices(policyId?: string): readonly PageNotice[] {
  useLiveQueries(["circuits"]);
  const trpc = useTRPC();
  const circuits = useQuery(trpc.circuitBreakers.list.queryOptions(undefined, { refetchInterval: ASK_EVERY_MS }));
  const open = (circuits.data ?? []).filter((circuit) => policyId === undefined || circuit.policyId === policyId);
  return open.slice(0, SHOWN_MAX).map((circuit, index) => ({
    id: circuit.id,
    label: "Paused hook",
    kind: "danger",
    icon: ZapOff,
    text: <CircuitText circuit={circuit} left={index === SHOWN_MAX - 1 ? open.length - SHOWN_MAX : 0} />,
    action: <TryNow circuit={circuit} />,
  }));
}

function CircuitText({ circuit, left }: { circuit: CircuitView; left: number }) {
  const { hook, failures, openedAt, retryAt, policyId, policy, revision, path, lastError } = circuit;
  return (
    <>
      <p>
        <strong className="break-words">{hook.split("\n", 1)[0]}</strong> failed {failures} times in a row and is paused
        (<RelativeTime at={openedAt} />
        ). Calls that the hook guards are denied.{" "}
        {retryAt.getTime() <= Date.now()
          ? "The next call that needs the hook retries it."
          : "The first call after at most 30 seconds retries the hook."}
        {left > 0 ? ` ${left} more hooks are paused.` : ""}
      </p>
      <p>
        {policyId === null ? (
          policy
        ) : (
          <Link className="underline underline-offset-2" href={`/policies/${policyId}`}>
            {policy}
          </Link>
        )}{" "}
        revision {revision}, <HookPlace path={path} />: {lastError}
      </p>
    </>
  );
}

function TryNow({ circuit }: { circuit: CircuitView }) {
  const trpc = useTRPC();
  const tryNow = useMutation(
    trpc.circuitBreakers.tryNow.mutationOptions({
      onSuccess: ({ isTried }) =>
        toast(isTried ? "The next call that needs the hook retries it" : "The hook is no longer paused"),
      onError: (error) => toast.error("The hook could not be retried", { description: failureSentence(error) }),
    }),
  );
  const isDue = circuit.retryAt.getTime() <= Date.now();
  return (
    <PermittedButton
      to="policy:publish"
      size="sm"
      onClick={() => tryNow.mutate({ id: circuit.id })}
      busy={tryNow.isPending}
      disabled={isDue}
    >
      Retry now
    </PermittedButton>
  );
}
