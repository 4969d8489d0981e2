"use client";

import { KeyRound } from "lucide-react";
import { useAccountCall } from "@/components/access/use-account-call";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";

/** Leads to the company's own identity provider and back. */
export function SignOnButton({
  label,
  next,
  path,
}: {
  label: string;
  next: string;
  path: "/sign-in/social" | "/link-social";
}) {
  const { send, isPending, failure } = useAccountCall();
  const go = async () => {
    const value = await send(path, {
      provider: "sign-on",
      callbackURL: next,
      errorCallbackURL: path === "/link-social" ? next : "/sign-in",
      disableRedirect: true,
    });
    if (typeof value?.url === "string") window.location.assign(value.url);
  };
  return (
    <div className="flex flex-col gap-2">
      <Button size="lg" busy={isPending} onClick={() => void go()} className="self-start">
        <KeyRound aria-hidden /> {label}
      </Button>
      {failure ? <ErrorLine>{failure}</ErrorLine> : null}
    </div>
  );
}
