import { TRPCError } from "@trpc/server";
import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { whoami } from "@/app/prefetch";
import { AppShell } from "@/components/layout/app-shell";

/** Signed-in pages. Who is asking depends on the cookie, so nothing here is rendered ahead of the request. */
export const dynamic = "force-dynamic";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const me = await whoami().catch((error: unknown) => {
    if (error instanceof TRPCError && error.code === "UNAUTHORIZED") redirect("/sign-in");
    throw error;
  });
  return (
    <AppShell person={me.name} workspace={me.workspace}>
      {children}
    </AppShell>
  );
}
