"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { CERTAINTY_TEXT, SOURCE_TEXT } from "@/components/principals/certainty-words";
import { PersonName } from "@/components/principals/person-name";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorState } from "@/components/ui/error-state";
import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { OwnerView } from "@/server/principals/schema";

const OwnerForm = loadWhenOpened(() => import("@/components/agents/owner-form").then((one) => one.OwnerForm));

/** The person or service that an agent works for, and the people whom its telemetry names. */
export function OwnerSection({ agentId }: { agentId: string }) {
  const trpc = useTRPC();
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery(trpc.principals.owner.queryOptions({ agentId }));
  const set = (
    <PermittedButton to="agent:write" size="sm" onClick={() => setOpen(true)}>
      Set owner
    </PermittedButton>
  );
  return (
    <Section title="Works for" actions={isOpen || !data ? null : set}>
      {error && !data ? (
        <ErrorState
          compact
          title="The owner could not be loaded"
          reason={failureSentence(error)}
          onRetry={() => void refetch()}
        />
      ) : data === undefined ? (
        <Loading label="the owner">
          <SkeletonText lines={1} />
        </Loading>
      ) : isOpen ? (
        <OwnerForm agentId={agentId} owner={data.owner} onClose={() => setOpen(false)} />
      ) : (
        <Owner view={data} />
      )}
    </Section>
  );
}

function Owner({ view: { owner, named } }: { view: OwnerView }) {
  const others = named.filter(({ id, mergedInto }) => owner !== null && (mergedInto ?? id) !== owner.id);
  const first = others[0];
  return (
    <div className="flex flex-col gap-2">
      {owner === null ? (
        <p className="text-muted text-sm">
          Unknown person. Its calls have the person whom its telemetry names, if any.
        </p>
      ) : (
        <p className="flex flex-wrap items-center gap-x-2 text-sm">
          <PersonName principal={owner} />
          <span className="text-muted" title={CERTAINTY_TEXT[owner.certainty]}>
            {SOURCE_TEXT[owner.source]}, <RelativeTime at={owner.setAt} />
          </span>
        </p>
      )}
      {owner?.hasLeft ? (
        <Notice kind="warning">{owner.name} has left the workspace. Set another owner, or revoke the keys.</Notice>
      ) : null}
      {owner !== null && owner.certainty !== "guessed" && first !== undefined ? (
        <Notice kind="warning">
          Telemetry names {first.name} for {plural(first.sessions, "session")} of this agent, the last{" "}
          <RelativeTime at={first.namedAt} />. Its calls count for {owner.name}, the owner of the key.
        </Notice>
      ) : null}
      {(owner === null || owner.certainty === "guessed") && named.length > 0 ? (
        <p className="text-muted text-sm">
          Telemetry names{" "}
          {named.map(({ id, name, sessions }, at) => (
            <span key={id}>
              {at > 0 ? ", " : null}
              {name} ({plural(sessions, "session")})
            </span>
          ))}
          .
        </p>
      ) : null}
    </div>
  );
}
