"use client";

import { OctagonX } from "lucide-react";
import { type ReactNode, useCallback, useState } from "react";
import { usePermission } from "@/components/access/permission";
import { type Command, useCommands } from "@/components/layout/commands";
import { StopProvider, type StopTarget } from "@/components/layout/stop/stop-context";
import { loadWhenOpened } from "@/components/ui/load-when-opened";

const HaltDialog = loadWhenOpened(() => import("@/components/halts/halt-dialog").then((one) => one.HaltDialog));

const NO_COMMANDS: readonly Command[] = [];

/** Gives each page inside a dialog that halts agents, and the palette its command. */
export function StopDialogProvider({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState<{
    readonly number: number;
    readonly target: StopTarget;
    readonly open: boolean;
  }>({
    number: 0,
    target: {},
    open: false,
  });
  const stop = useCallback(
    (target: StopTarget) => setOpened(({ number }) => ({ number: number + 1, target, open: true })),
    [],
  );
  const { isGranted } = usePermission("halt:write");
  const command = { id: "halt.new", label: "Stop agents", icon: OctagonX, keywords: ["halt", "emergency", "kill"] };
  useCommands(isGranted ? [{ ...command, run: () => stop({}) }] : NO_COMMANDS);
  return (
    <StopProvider value={stop}>
      {children}
      <HaltDialog
        key={opened.number}
        target={opened.target}
        open={opened.open}
        onOpenChange={(open: boolean) => setOpened((now) => ({ ...now, open }))}
      />
    </StopProvider>
  );
}
