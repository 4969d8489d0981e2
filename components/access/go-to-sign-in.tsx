"use client";

import { useEffect } from "react";
import { Spinner } from "@/components/ui/spinner";

/** Sends a signed-out visitor to the sign-in page, which remembers the page they asked for. */
export function GoToSignIn() {
  useEffect(() => {
    // Synchronises with the address bar.
    const { pathname, search, hash } = window.location;
    window.location.replace(`/sign-in?next=${encodeURIComponent(`${pathname}${search}${hash}`)}`);
  }, []);
  return (
    <p role="status" className="flex min-h-dvh items-center justify-center gap-2 text-muted">
      <Spinner /> You are not signed in. Opening the sign-in page…
    </p>
  );
}
