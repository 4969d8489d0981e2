/** The client of an agent with its version, in words. */
import type { AgentRow } from "@/server/agents/schema";
import { clientTitle } from "@/server/dialects/schema";

/** "Claude Code 2.1.330"; null before its first event. */
export const clientText = ({ client, clientVersion }: Pick<AgentRow, "client" | "clientVersion">): string | null =>
  client === null ? null : [clientTitle(client), clientVersion].filter(Boolean).join(" ");
