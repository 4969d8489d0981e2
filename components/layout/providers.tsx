"use client";

import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { CommandProvider } from "@/components/access/command-line";
import { TRPCReactProvider } from "@/components/trpc/provider";
import { Toaster } from "@/components/ui/toast";
import { TooltipProvider } from "@/components/ui/tooltip";

/** The providers that every page may lean on, signed in or not. */
export function Providers(props: { nonce: string | undefined; command: string; children: ReactNode }) {
  const { nonce, command, children } = props;
  return (
    <ThemeProvider
      attribute="data-theme"
      defaultTheme="system"
      enableSystem
      disableTransitionOnChange
      storageKey="quarterdeck.theme"
      {...(nonce !== undefined && { nonce })}
    >
      <NuqsAdapter>
        <TRPCReactProvider>
          <TooltipProvider>
            <CommandProvider value={command}>{children}</CommandProvider>
            <Toaster />
          </TooltipProvider>
        </TRPCReactProvider>
      </NuqsAdapter>
    </ThemeProvider>
  );
}
