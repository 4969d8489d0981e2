"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useState, useSyncExternalStore } from "react";
import { z } from "zod";
import { useTRPC } from "@/components/trpc/client";
import {
  CONNECT_HOURS,
  type ConnectedClient,
  connectedClient,
  proposedAgentName,
  tryConnectLine,
} from "@/server/agents/connect-schema";
import { isHeld } from "@/server/drills/schema";

/** While something is awaited, in addition to what the live connection brings. */
const AGAIN_MS = 2_000;
const never = () => () => undefined;

/** The connection that this page makes: what was chosen, and what has arrived of it. */
export function useConnection() {
  const { client, tokenId, keep, clear } = useAddress();
  const { line, lineProblem, forget, ...making } = useLine(client, (id) => keep({ token: id }));
  const arrival = useArrival(tokenId);
  const choose = (next: ConnectedClient) => {
    keep({ client: next });
    if (making.token === null && !arrival.agent) making.create();
  };
  const restart = () => {
    forget();
    clear();
  };
  return { client, choose, restart, line, lineProblem, ...making, ...arrival };
}

export type Connection = ReturnType<typeof useConnection>;

/** The client and the token of the address, so that a reload continues to wait. The token itself is in no address. */
function useAddress() {
  const params = useSearchParams();
  const keep = (change: Readonly<Record<string, string>>) => {
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(change)) next.set(name, value);
    window.history.replaceState(null, "", `?${next}`);
  };
  return {
    client: connectedClient.safeParse(params.get("client")).data ?? null,
    tokenId: z.uuid().safeParse(params.get("token")).data ?? null,
    keep,
    clear: () => window.history.replaceState(null, "", window.location.pathname),
  };
}

/** The line to paste, with a one-use token that only this page knows. */
function useLine(client: ConnectedClient | null, onToken: (tokenId: string) => void) {
  const trpc = useTRPC();
  const [typed, setTyped] = useState<string | null>(null);
  const [typedUrl, setTypedUrl] = useState<string | null>(null);
  const [token, setToken] = useState<string | null>(null);
  const names = useQuery(trpc.agents.names.queryOptions());
  const origin = useSyncExternalStore(
    never,
    () => window.location.origin,
    () => null,
  );
  const create = useMutation(trpc.agents.createEnrolmentToken.mutationOptions());
  const proposed = proposedAgentName(client ?? "http", new Set(names.data?.map((one) => one.name)));
  const name = typed ?? proposed;
  const url = typedUrl ?? origin ?? "";
  const made = client === null || token === null ? null : tryConnectLine({ client, url, name, token });
  return {
    name,
    setName: setTyped,
    url,
    setUrl: setTypedUrl,
    token,
    forget: () => {
      setTyped(null);
      setToken(null);
    },
    line: made?.line ?? null,
    lineProblem: made?.problem ?? null,
    isCreating: create.isPending,
    createError: create.error,
    create: () =>
      create.mutate(
        { name: "Connect an agent", uses: 1, hours: CONNECT_HOURS },
        {
          onSuccess: (created) => {
            setToken(created.token);
            onToken(created.tokenId);
          },
        },
      ),
  };
}

/** The agent that joined with the token, its first event and its newest drill. */
function useArrival(tokenId: string | null) {
  const trpc = useTRPC();
  const tokens = useQuery({
    ...trpc.agents.enrolmentTokens.queryOptions(),
    enabled: tokenId !== null,
    refetchInterval: ({ state }) => (state.data?.find(({ id }) => id === tokenId)?.agents.length ? false : AGAIN_MS),
  });
  const used = tokens.data?.find(({ id }) => id === tokenId);
  const joined = used?.agents[0] ?? null;
  const about = { agentId: joined?.id ?? "" };
  const drills = useQuery({
    ...trpc.drills.ofAgent.queryOptions(about),
    enabled: joined !== null,
    refetchInterval: ({ state }) => (state.data?.[0] && isHeld(state.data[0].results) ? false : AGAIN_MS),
  });
  const detail = useQuery({
    ...trpc.agents.get.queryOptions(about),
    enabled: joined !== null,
    refetchInterval: ({ state }) => (state.data?.row.heardAt ? false : AGAIN_MS),
  });
  const drill = drills.data?.[0] ?? null;
  const row = detail.data?.row ?? null;
  return {
    tokenState: used?.state ?? null,
    agent: joined,
    row,
    drill,
    /** A session of a user has begun. Calls of a drill do not count. */
    isHeard: row !== null && row.lastSeenAt !== null,
    isDrilled: drill !== null && isHeld(drill.results),
    arrivalError: tokens.error ?? detail.error ?? drills.error,
  };
}
