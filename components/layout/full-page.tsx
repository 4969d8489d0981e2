import type { ReactNode } from "react";
import { Brand } from "@/components/layout/brand";

/** A page outside the shell: sign-in, not found, failure. */
export function FullPage({ children }: { children: ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 p-6">
      <Brand />
      <div className="w-full max-w-110 rounded-lg border bg-surface p-6">{children}</div>
    </main>
  );
}
