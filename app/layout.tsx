import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { Providers } from "@/components/layout/providers";
import { pageProcedures } from "@/server/trpc/page-procedures";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Quarterdeck", template: "%s · Quarterdeck" },
  description: "The policy console for teams that run AI agents.",
};

export const viewport: Viewport = { width: "device-width", initialScale: 1, colorScheme: "light dark" };

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Set by the gateway: only scripts that carry it run. A page made ahead of its request could not.
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  // The theme script sets an attribute on <html> before React wakes up.
  return (
    <html lang="en" suppressHydrationWarning>
      <body>
        <Providers nonce={nonce} command={pageProcedures().commandLine}>
          {children}
        </Providers>
      </body>
    </html>
  );
}
