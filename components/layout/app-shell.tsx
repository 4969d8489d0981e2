"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Keyboard, LogOut } from "lucide-react";
import { useRouter } from "next/navigation";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useMemo, useState } from "react";
import { useCommands } from "@/components/layout/commands";
import { StaleStrip } from "@/components/layout/connection-state";
import { useAskedChange } from "@/components/layout/four-eyes/second-person";
import { type NavTab, navPages } from "@/components/layout/nav";
import { Rail } from "@/components/layout/rail";
import { ShellProvider } from "@/components/layout/shell-context";
import { StepUpDialog } from "@/components/layout/step-up-dialog";
import { TravelProvider, useTabAddress } from "@/components/layout/travel-provider";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { LiveProvider } from "@/components/trpc/live-queries";
import { scrimLook } from "@/components/ui/dialog";
import { DrawerBanner } from "@/components/ui/drawer";
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
const SecondPersonDialog = loadWhenOpened(
  () => import("@/components/layout/four-eyes/second-person-dialog").then((one) => one.SecondPersonDialog),
  "stopped",
);

export interface AppShellProps {
  person: string;
  workspace: string;
  /** True if the workspace has demo data. */
  hasDemo: boolean;
  children: ReactNode;
}

const staleStrip = <StaleStrip />;
const isFlag = (stored: unknown): stored is boolean => typeof stored === "boolean";

/** The frame of every signed-in page. A page draws its own `PageHeader` and `PageBody` inside. */
export function AppShell({ person, workspace, hasDemo, children }: AppShellProps) {
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
    label: "Search or run a command",
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
  useShellCommands(shell.openShortcuts, () => signOut.mutate());
  const rail = { person, workspace, hasDemo, onSignOut: () => signOut.mutate() };
  return (
    <ShellProvider value={shell}>
      <LiveProvider scope={me ? `${me.workspaceId} ${me.id}` : null}>
        <TravelProvider>
          <a
            href="#content"
            className="fixed top-2 left-2 z-60 -translate-y-16 rounded-md bg-accent px-3 py-1.5 text-on-accent focus:translate-y-0"
          >
            Skip to content
          </a>
          {navPages.map((page) => (page.jump ? <Jump key={page.href} page={page} jump={page.jump} /> : null))}
          <div className="flex h-dvh print:h-auto">
            <aside data-no-print className={`shrink-0 border-line border-r max-md:hidden ${compact ? "w-14" : "w-56"}`}>
              <Rail {...rail} compact={compact} onToggle={() => setCompact(!compact)} />
            </aside>
            <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
              {staleStrip}
              <DrawerBanner value={staleStrip}>{children}</DrawerBanner>
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
          <StoppedChangeDialog />
          <StepUpDialog />
        </TravelProvider>
      </LiveProvider>
    </ShellProvider>
  );
}

function Jump({ page, jump }: { page: NavTab; jump: string }) {
  const router = useRouter();
  const addressOf = useTabAddress();
  useHotkey(`g ${jump}`, () => router.push(addressOf(page)), { label: page.title ?? page.label, group: "Go to" });
  return null;
}

/** The acts of the palette that no page owns. */
function useShellCommands(openShortcuts: () => void, signOut: () => void): void {
  useCommands([
    {
      ...{ id: "help.shortcuts", label: "Show keyboard shortcuts", icon: Keyboard, group: "Help", keys: "?" },
      ...{ keywords: ["help", "hotkeys", "keys"], run: openShortcuts },
    },
    {
      ...{ id: "account.sign-out", label: "Sign out", icon: LogOut, group: "Account" },
      ...{ keywords: ["logout", "log out", "exit", "leave"], run: signOut },
    },
  ]);
}

function StoppedChangeDialog() {
  const [stopped, close] = useAskedChange();
  return <SecondPersonDialog stopped={stopped} onClose={close} />;
}
