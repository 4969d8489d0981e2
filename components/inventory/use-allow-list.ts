"use client";

import { parseAsString, useQueryStates } from "nuqs";
import type { ToolView } from "@/server/inventory/schema";

export interface AllowListOf {
  readonly agentId: string;
  /** Absent: all tools of the agent. */
  readonly server?: string;
}

/** The open allow-list, kept in the URL. */
export function useAllowList() {
  const [{ allow, server }, set] = useQueryStates({ allow: parseAsString, server: parseAsString });
  const of: AllowListOf | null = allow === null ? null : { agentId: allow, ...(server !== null && { server }) };
  return {
    of,
    open: ({ agentId, mcpServer }: Pick<ToolView, "agentId" | "mcpServer">) =>
      void set({ allow: agentId, server: mcpServer }),
    close: () => void set({ allow: null, server: null }),
  };
}
