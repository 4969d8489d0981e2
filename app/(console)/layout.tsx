import { headers } from "next/headers";
import type { ReactNode } from "react";
import { ConsoleNotices } from "@/app/(console)/notices";
import { explainFailure, HydrateClient, isSignedOut, prefetch, trpc, whoami } from "@/app/prefetch";
import { GoToSignIn } from "@/components/access/go-to-sign-in";
import { StopDialogProvider } from "@/components/halts/stop-dialog-provider";
import { AppShell, type AppShellProps } from "@/components/layout/app-shell";
import { PageUnavailable } from "@/components/layout/page-unavailable";

/** Signed-in pages. The person depends on the cookie, so nothing is rendered ahead of the request. */
export const dynamic = "force-dynamic";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const me = await whoami().catch((error: unknown) => {
    if (isSignedOut(error)) return null;
    return { failure: explainFailure(error) };
  });
  // A layout does not know the page's address. The browser does, and keeps it until after the sign-in.
  if (me === null) return <GoToSignIn />;
  // Documents need no database: they can be read although no person can be identified.
  if ("failure" in me)
    return (await isDocument()) ? <Shell>{children}</Shell> : <PageUnavailable reason={me.failure} />;
  await prefetch(
    trpc.access.me.queryOptions(),
    trpc.policies.frozen.queryOptions(),
    trpc.audit.raw.queryOptions(),
    trpc.halts.inForce.queryOptions(),
  );
  return (
    <HydrateClient>
      <Shell person={me.name} workspace={me.workspace} hasDemo={me.hasDemo}>
        {children}
      </Shell>
    </HydrateClient>
  );
}

/** The gateway names the path of a page, which a layout does not know. */
const isDocument = async (): Promise<boolean> => /^\/docs(?:\/|$)/.test((await headers()).get("x-page-path") ?? "");

type ShellProps = Partial<Omit<AppShellProps, "children">> & { children: ReactNode };

/** The frame of a page; without a person for one that is shown while the database is away. */
function Shell({ person = "", workspace = "Quarterdeck", hasDemo = false, children }: ShellProps) {
  return (
    <AppShell person={person} workspace={workspace} hasDemo={hasDemo}>
      <StopDialogProvider>
        <ConsoleNotices>{children}</ConsoleNotices>
      </StopDialogProvider>
    </AppShell>
  );
}
