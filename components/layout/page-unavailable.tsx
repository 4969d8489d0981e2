"use client";

import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { FullPage } from "@/components/layout/full-page";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { ErrorState } from "@/components/ui/error-state";

/**
 * Replaces every page while the server cannot identify the person: the reason, the state of the agents, and a retry.
 */
export function PageUnavailable({ reason }: { reason: string }) {
  const router = useRouter();
  const [isTrying, startTrying] = useTransition();
  const again = () => startTrying(() => router.refresh());
  return (
    <FullPage>
      <h1 className="sr-only">This page could not be loaded</h1>
      <ErrorState
        compact
        title="This page could not be loaded"
        reason={reason}
        stillWorks={<GatewayStatus onAnsweringAgain={again} />}
        onRetry={again}
        retrying={isTrying}
      />
    </FullPage>
  );
}
