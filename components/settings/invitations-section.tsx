"use client";

import { type UseQueryResult, useMutation } from "@tanstack/react-query";
import { forAccessDays } from "@/components/access/access-days";
import { PermittedButton } from "@/components/access/permitted-button";
import { Loaded } from "@/components/settings/loaded";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Section } from "@/components/ui/section";
import { toast } from "@/components/ui/toast";
import type { InvitationView } from "@/server/people/schema";

interface InvitationsProps {
  invitations: UseQueryResult<InvitationView[], unknown>;
  onChanged: () => Promise<unknown>;
}

/** Invitations that have not been accepted yet. */
export function InvitationsSection({ invitations, onChanged }: InvitationsProps) {
  const trpc = useTRPC();
  const withdraw = useMutation(
    trpc.people.withdraw.mutationOptions({
      onSuccess: () => void onChanged(),
      onError: (error) => toast.error("Couldn't withdraw the invitation", { description: failureSentence(error) }),
    }),
  );
  return (
    <Section title="Invitations" framed flush>
      <Loaded query={invitations} what="The invitations">
        {(rows) =>
          rows.length === 0 ? (
            <p className="px-3 py-3 text-muted">Pending invitations appear here.</p>
          ) : (
            <ul className="flex flex-col divide-y divide-line" aria-label="Invitations">
              {rows.map((one) => (
                <li key={one.id} className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
                  <span className="font-medium">{one.email}</span>
                  <span className="text-muted text-sm">
                    as {one.role}
                    {forAccessDays(one.accessDays)}, by {one.invitedBy}, link ends <RelativeTime at={one.expiresAt} />
                  </span>
                  <PermittedButton
                    to="people:manage"
                    size="sm"
                    className="ml-auto"
                    aria-label={`Withdraw the invitation for ${one.email}`}
                    busy={withdraw.isPending && withdraw.variables?.invitationId === one.id}
                    onClick={() => withdraw.mutate({ invitationId: one.id })}
                  >
                    Withdraw
                  </PermittedButton>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
