"use client";

import { createTRPCContext } from "@trpc/tanstack-react-query";
import type { AppRouter } from "@/server/composition/router";

/**
 * `useTRPC()` gives the typed procedures: `useQuery(trpc.decisions.list.queryOptions(input))`,
 * `useMutation(trpc.policies.publish.mutationOptions())`.
 */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();
