"use client";

import { GatewayStatus } from "@/components/layout/gateway-status";
import { ErrorState } from "@/components/ui/error-state";

export interface PageFailureProps {
  error: unknown;
  retry: () => void;
}

/** A page that broke while drawing; the reference finds the cause in the server's log. */
export function PageFailure({ error, retry }: PageFailureProps) {
  const digest = error instanceof Error && "digest" in error && typeof error.digest === "string" ? error.digest : null;
  return (
    <ErrorState
      title="This page could not be shown"
      reason={
        digest === null
          ? "An error occurred in the browser. Try again."
          : `The server could not build the page. The server's log has the cause under ${digest}.`
      }
      stillWorks={<GatewayStatus onAnsweringAgain={retry} />}
      onRetry={retry}
    />
  );
}
