"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { ZapOff } from "lucide-react";
import { PermittedButton } from "@/components/access/permitted-button";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/components/ui/toast";
import type { CircuitView } from "@/server/circuit-breakers/schema";

/** When a circuit may have closed by itself, nobody tells: it is asked again. */
const ASK_EVERY_MS = 10_000;
const SHOWN_MAX = 5;

/** The hooks that failed too often and are not started for now; those of one policy, or all. Nothing when there are none. */
export function OpenCircuits({ policyId }: { policyId?: string }) {
  useLiveQueries(["circuits"]);
  const trpc = useTRPC();
  const circuits = useQuery(trpc.circuits.list.queryOptions(undefined, { refetchInterval: ASK_EVERY_MS }));
  const open = (circuits.data ?? []).filter((circuit) => policyId === undefined || circuit.policyId === policyId);
  if (open.length === 0) return null;
  return (
    <section aria-label="Hooks that are not started" className="flex shrink-0 flex-col gap-2 p-3 pb-0 md:px-6">
      {open.slice(0, SHOWN_MAX).map((circuit) => (
        <OpenCircuit key={circuit.id} circuit={circuit} isOnPolicy={policyId !== undefined} />
      ))}
      {open.length > SHOWN_MAX ? (
        <p className="text-muted text-sm">And {open.length - SHOWN_MAX} more hooks are not started.</p>
      ) : null}
    </section>
  );
}

function OpenCircuit({ circuit, isOnPolicy }: { circuit: CircuitView; isOnPolicy: boolean }) {
  const trpc = useTRPC();
  const tryNow = useMutation(trpc.circuits.tryNow.mutationOptions());
  const tryIt = () =>
    tryNow.mutate(
      { id: circuit.id },
      {
        onSuccess: ({ isTried }) => toast(isTried ? "The next dispatch tries this hook" : "This hook runs again"),
        onError: (error) => toast.error("The hook could not be tried", { description: failureSentence(error) }),
      },
    );
  const isDue = circuit.retryAt.getTime() <= Date.now();
  return (
    <Notice
      kind="danger"
      icon={ZapOff}
      action={
        <PermittedButton to="policy:publish" size="sm" onClick={tryIt} busy={tryNow.isPending} disabled={isDue}>
          Try now
        </PermittedButton>
      }
    >
      <p>
        <strong className="break-words">{circuit.hook.split("\n", 1)[0]}</strong> failed {circuit.failures} times in a
        row and is not started (<RelativeTime at={circuit.openedAt} />
        ). A gate it serves denies meanwhile.{" "}
        {isDue ? "The next dispatch tries it." : "It is tried again within half a minute."}
      </p>
      <p className="text-muted">
        {isOnPolicy || circuit.policyId === null ? (
          circuit.policy
        ) : (
          <Link className="link" href={`/policies/${circuit.policyId}`}>
            {circuit.policy}
          </Link>
        )}{" "}
        revision {circuit.revision}, <code className="break-all">{circuit.path}</code>: {circuit.lastError}
      </p>
    </Notice>
  );
}
