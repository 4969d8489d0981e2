"use client";

import { isServer, type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpSubscriptionLink, splitLink } from "@trpc/client";
import { type ReactNode, useState } from "react";
import superjson from "superjson";
import { batchLink } from "@/components/trpc/batch-link";
import { TRPCProvider } from "@/components/trpc/client";
import { isSignedOut, refusalOf } from "@/components/trpc/failure";
import { heardChanges, ownChangesLink } from "@/components/trpc/heard";
import { makeQueryClient } from "@/components/trpc/query-client";
import { stepUpLink } from "@/components/trpc/step-up";
import { RefusalContext } from "@/components/ui/refusal";
import type { AppRouter } from "@/server/composition/router";

/** The gateway answers here, on the page's own origin. */
const url = "/api/trpc";

const makeClient = () =>
  createTRPCClient<AppRouter>({
    links: [
      stepUpLink(),
      ownChangesLink(),
      splitLink({
        condition: (operation) => operation.type === "subscription",
        true: httpSubscriptionLink({ url, transformer: superjson }),
        false: batchLink({ url, headers: heardChanges.headers }),
      }),
    ],
  });

let isAsking = false;
/**
 * Changing a password or the second factor replaces the session, and calls under way are refused with the old one. So
 * one more query decides whether the person is really signed out.
 */
async function refused(): Promise<void> {
  if (isAsking || window.location.pathname === "/sign-in") return;
  isAsking = true;
  const isIn = await fetch(`${url}/access.whoami`).then(
    ({ ok }) => ok,
    () => true, // a server that does not answer has not refused
  );
  isAsking = false;
  const here = `${window.location.pathname}${window.location.search}`;
  if (!isIn) window.location.assign(`/sign-in?next=${encodeURIComponent(here)}`);
  else void browserClient?.invalidateQueries({ predicate: ({ state }) => isSignedOut(state.error) });
}

let browserClient: QueryClient | undefined;

/** One query client per tab; on the server a new one per render, so that no person sees another's data. */
function getQueryClient(): QueryClient {
  if (isServer) return makeQueryClient();
  browserClient ??= makeQueryClient({ onSignedOut: () => void refused() });
  return browserClient;
}

export function TRPCReactProvider({ children }: { children: ReactNode }) {
  const queryClient = getQueryClient();
  const [client] = useState(makeClient);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        <RefusalContext value={refusalOf}>{children}</RefusalContext>
      </TRPCProvider>
    </QueryClientProvider>
  );
}
