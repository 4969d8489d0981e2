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
      title={created ? `The enrolment token ${created.name}` : ""}
      description="It is shown this once. Copy it now; nobody can read it later, only make another."
      noun="token"
      done="Done"
      testId="new-token"
      onClose={onClose}
    >
      <Notice kind="info">
        On a machine, with the token in a file: <code>quarterdeck join --url URL --token-file FILE</code>. Whoever holds
        the token can make agents until it ends or is used up.
      </Notice>
    </ShownOnce>
  );
}
