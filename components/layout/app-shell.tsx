"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useMemo, useState } from "react";
import { SecondPersonDialog } from "@/components/layout/four-eyes/second-person-dialog";
import { navPages } from "@/components/layout/nav";
import { Rail } from "@/components/layout/rail";
import { ShellProvider } from "@/components/layout/shell-context";
import { StepUpDialog } from "@/components/layout/step-up-dialog";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { LiveProvider } from "@/components/trpc/live-queries";
import { scrimLook } from "@/components/ui/dialog";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { toast } from "@/components/ui/toast";
import { useLocalStorage } from "@/components/ui/use-local-storage";

const CommandPalette = loadWhenOpened(() =>
  import("@/components/layout/palette/command-palette").then((one) => one.CommandPalette),
);
const ShortcutsDialog = loadWhenOpened(() =>
  import("@/components/layout/shortcuts-dialog").then((one) => one.ShortcutsDialog),
);

export interface AppShellProps {
  person: string;
  workspace: string;
  children: ReactNode;
}

const isFlag = (stored: unknown): stored is boolean => typeof stored === "boolean";

/** The frame of every signed-in page. A page draws its own `PageHeader` and `PageBody` inside. */
export function AppShell({ person, workspace, children }: AppShellProps) {
  const [compact, setCompact] = useLocalStorage<boolean>("rail.compact", false, isFlag);
  const [overlay, setOverlay] = useState<"palette" | "shortcuts" | "nav" | null>(null);
  const shell = useMemo(
    () => ({
      openPalette: () => setOverlay("palette"),
      openShortcuts: () => setOverlay("shortcuts"),
      openNav: () => setOverlay("nav"),
    }),
    [],
  );
  const isOpen = (which: typeof overlay) => ({
    open: overlay === which,
    onOpenChange: (open: boolean) => setOverlay(open ? which : null),
  });
  useHotkey("mod+k", () => setOverlay(overlay === "palette" ? null : "palette"), {
    label: "Search or do anything",
    group: "Anywhere",
    anywhere: true,
  });
  useHotkey("?", shell.openShortcuts, { label: "These shortcuts", group: "Anywhere" });
  useHotkey("[", () => setCompact(!compact), { label: "Collapse sidebar", group: "Anywhere" });
  const trpc = useTRPC();
  const { data: me } = useQuery(trpc.access.me.queryOptions());
  const signOut = useMutation(
    trpc.access.signOut.mutationOptions({
      onSuccess: () => window.location.assign("/sign-in"),
      onError: (error) => toast.error("You are still signed in", { description: failureSentence(error) }),
    }),
  );
  const rail = { person, workspace, onSignOut: () => signOut.mutate() };
  return (
    <ShellProvider value={shell}>
      <LiveProvider scope={me ? `${me.workspaceId} ${me.id}` : null}>
        <a
          href="#content"
          className="fixed top-2 left-2 z-60 -translate-y-16 rounded-md bg-accent px-3 py-1.5 text-on-accent focus:translate-y-0"
        >
          Skip to content
        </a>
        {navPages.map((page) => (
          <Jump key={page.href} keys={`g ${page.jump}`} href={page.href} label={page.label} />
        ))}
        <div className="flex h-dvh print:h-auto">
          <aside data-no-print className={`shrink-0 border-line border-r max-md:hidden ${compact ? "w-14" : "w-56"}`}>
            <Rail {...rail} compact={compact} onToggle={() => setCompact(!compact)} />
          </aside>
          <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
            {children}
          </main>
        </div>
        <Radix.Root {...isOpen("nav")}>
          <Radix.Portal>
            <Radix.Overlay className={scrimLook} />
            <Radix.Content
              aria-describedby={undefined}
              className="fixed inset-y-0 left-0 z-50 w-64 animate-slide-left bg-sunken shadow-overlay outline-none"
            >
              <Radix.Title className="sr-only">Pages</Radix.Title>
              <Rail {...rail} compact={false} onNavigate={() => setOverlay(null)} />
            </Radix.Content>
          </Radix.Portal>
        </Radix.Root>
        <CommandPalette {...isOpen("palette")} />
        <ShortcutsDialog {...isOpen("shortcuts")} />
        <SecondPersonDialog />
        <StepUpDialog />
      </LiveProvider>
    </ShellProvider>
  );
}

function Jump({ keys, href, label }: { keys: string; href: string; label: string }) {
  const router = useRouter();
  useHotkey(keys, () => router.push(href), { label, group: "Go to" });
  return null;
}
