"use client";

import { isServer, type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { type ReactNode, useState } from "react";
import superjson from "superjson";
import { TRPCProvider } from "@/components/trpc/client";
import { makeQueryClient } from "@/components/trpc/query-client";
import type { AppRouter } from "@/server/trpc/root";

/** The gateway answers here, on the page's own origin. */
const url = "/api/trpc";

const makeClient = () =>
  createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === "subscription",
        true: httpSubscriptionLink({ url, transformer: superjson }),
        false: httpBatchLink({ url, transformer: superjson, maxURLLength: 8000 }),
      }),
    ],
  });

function goToSignIn(): void {
  const here = `${window.location.pathname}${window.location.search}`;
  if (window.location.pathname !== "/sign-in") window.location.assign(`/sign-in?next=${encodeURIComponent(here)}`);
}

let browserClient: QueryClient | undefined;

/** One query client a tab; a new one for each render on the server, so that nobody sees another's data. */
function getQueryClient(): QueryClient {
  if (isServer) return makeQueryClient();
  browserClient ??= makeQueryClient({ onSignedOut: goToSignIn });
  return browserClient;
}

export function TRPCReactProvider({ children }: { children: ReactNode }) {
  const queryClient = getQueryClient();
  const [client] = useState(makeClient);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
