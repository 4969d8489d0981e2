"use client";

import { gatewayStatusText } from "@/components/layout/gateway-status-text";
import { useGatewayStatus } from "@/components/layout/use-gateway-status";

/** One sentence about agents for failed pages, from the gateway itself: it answers even while the database does not. */
export function GatewayStatus({ onAnsweringAgain }: { onAnsweringAgain?: () => void }) {
  const { status } = useGatewayStatus(onAnsweringAgain);
  return (
    <span data-state={typeof status === "string" ? status : status.state}>{gatewayStatusText(status, Date.now())}</span>
  );
}
