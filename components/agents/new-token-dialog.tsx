"use client";

import { Notice } from "@/components/ui/notice";
import { ShownOnce } from "@/components/ui/shown-once";

export interface NewToken {
  readonly name: string;
  readonly token: string;
}

/** A token, this once. Closing it is the end of it: the server keeps a hash. */
export function NewTokenDialog({ created, onClose }: { created: NewToken | null; onClose: () => void }) {
  return (
    <ShownOnce
      secret={created?.token ?? null}
      title={created ? `Enrolment token ${created.name}` : ""}
      description="The token is shown only once. Copy it now."
      noun="token"
      done="Done"
      testId="new-token"
      onClose={onClose}
    >
      <Notice kind="info">
        Save the token in a file on the machine, then run: <code>quarterdeck join --url URL --token-file FILE</code>.
        Any person with the token can create agents until it expires or is used up.
      </Notice>
    </ShownOnce>
  );
}
