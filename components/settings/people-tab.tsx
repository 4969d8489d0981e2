"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Ellipsis, UserPlus } from "lucide-react";
import { useState } from "react";
import { usePermission } from "@/components/access/permission";
import { PermittedButton } from "@/components/access/permitted-button";
import { ActDialog } from "@/components/layout/act-dialog";
import { useRequestedAct } from "@/components/layout/use-requested-act";
import { InvitationsSection } from "@/components/settings/invitations-section";
import { Loaded } from "@/components/settings/loaded";
import { RoleMatrix } from "@/components/settings/role-matrix";
import { ROLE_OPTIONS } from "@/components/settings/roles";
import { useTRPC } from "@/components/trpc/client";
import { everyInvitation, everyMember } from "@/components/trpc/every-page";
import { failureSentence } from "@/components/trpc/failure";
import { Badge } from "@/components/ui/badge";
import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { IconButton } from "@/components/ui/icon-button";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Mark } from "@/components/ui/mark";
import { Menu } from "@/components/ui/menu";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { ShownOnce } from "@/components/ui/shown-once";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { Invite, MemberView } from "@/server/people/schema";

const InviteDialog = loadWhenOpened(() =>
  import("@/components/settings/invite-dialog").then((one) => one.InviteDialog),
);

/**
 * The people in the workspace with their roles, and the open invitations. Read-only for those without the permission.
 */
export function PeopleTab() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const people = useQuery(everyMember(trpc));
  const invitations = useQuery(everyInvitation(trpc));
  const [isInviting, setInviting] = useState(false);
  const [role, setRole] = useState<Invite["role"]>("viewer");
  const invite = (first: Invite["role"]) => {
    setRole(first);
    setInviting(true);
  };
  useRequestedAct({
    invite: () => invite("viewer"),
    "invite-admin": () => invite("admin"),
    "invite-auditor": () => invite("auditor"),
  });
  const renew = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: trpc.people.list.queryKey() }),
      queries.invalidateQueries({ queryKey: trpc.people.invitations.queryKey() }),
      queries.invalidateQueries({ queryKey: trpc.access.me.queryKey() }),
    ]);
  // One list that came after the other would push what is below it.
  if (people.isPending || invitations.isPending)
    return (
      <Loading label="the people" className="min-h-screen">
        <SkeletonText lines={8} />
      </Loading>
    );
  return (
    <div className="flex flex-col gap-6">
      <Section
        title="People"
        aside={people.data ? plural(people.data.length, "person", "people") : undefined}
        framed
        flush
        actions={
          <PermittedButton to="people:manage" variant="primary" onClick={() => invite("viewer")}>
            <UserPlus aria-hidden /> Invite…
          </PermittedButton>
        }
      >
        <Loaded query={people} what="The people">
          {(rows) => (
            <ul className="flex flex-col divide-y divide-line" aria-label="People">
              {rows.map((member) => (
                <Row key={member.personId} member={member} onChanged={renew} />
              ))}
            </ul>
          )}
        </Loaded>
      </Section>
      <InvitationsSection invitations={invitations} onChanged={renew} />
      <Section title="Roles" aside="for each role, its permissions">
        <RoleMatrix />
      </Section>
      <InviteDialog open={isInviting} role={role} onOpenChange={setInviting} onInvited={renew} />
    </div>
  );
}

function Row({ member, onChanged }: { member: MemberView; onChanged: () => Promise<unknown> }) {
  const trpc = useTRPC();
  const owners = usePermission("owner:manage");
  const manage = usePermission("people:manage");
  const [isRemoving, setRemoving] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const setRole = useMutation(
    trpc.people.setRole.mutationOptions({
      onSuccess: async (_nothing, { role }) => {
        toast.success(`${member.name} is now ${role}`);
        await onChanged();
      },
      onError: (error) =>
        toast.error(`${member.name} is still ${member.role}`, { description: failureSentence(error) }),
    }),
  );
  const extend = useMutation(
    trpc.people.extendAccess.mutationOptions({
      onSuccess: async (_nothing, { days }) => {
        const lasts = days === null ? "permanent" : `extended by ${plural(days, "day")}`;
        toast.success(`The access of ${member.name} is ${lasts}`);
        await onChanged();
      },
      onError: (error) =>
        toast.error(`The access of ${member.name} was not extended`, { description: failureSentence(error) }),
    }),
  );
  const reset = useMutation(
    trpc.people.createResetLink.mutationOptions({
      onSuccess: (made) => setLink(made.link),
      onError: (error) =>
        toast.error("The password link could not be created", { description: failureSentence(error) }),
    }),
  );
  const isLocked = !manage.isGranted || (member.role === "owner" && !owners.isGranted);
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <Identity member={member} />
      <Mark
        tone={member.hasSecondFactor ? "allow" : "unknown"}
        label={member.hasSecondFactor ? "second factor" : "no second factor"}
        look="plain"
      />
      {manage.isGranted ? (
        <>
          <Select
            aria-label={`Role of ${member.name}`}
            size="sm"
            value={member.role}
            disabled={isLocked || setRole.isPending}
            onChange={(role) => setRole.mutate({ personId: member.personId, role })}
            options={ROLE_OPTIONS.map((one) => ({ ...one, disabled: one.value === "owner" && !owners.isGranted }))}
          />
          <Menu
            trigger={<IconButton icon={Ellipsis} label={`More about ${member.name}`} />}
            items={[
              ...(member.endsAt === null ? [] : EXTENSIONS).map(({ days, label }) => ({
                label,
                disabled: isLocked || member.isYou || extend.isPending,
                onSelect: () => extend.mutate({ personId: member.personId, days }),
              })),
              {
                label: "Create password link",
                disabled: isLocked,
                onSelect: () => reset.mutate({ personId: member.personId }),
              },
              {
                label: "Remove from the workspace…",
                danger: true,
                disabled: isLocked,
                onSelect: () => setRemoving(true),
              },
            ]}
          />
        </>
      ) : (
        <Badge>{member.role}</Badge>
      )}
      <RemoveDialog member={member} open={isRemoving} onClose={() => setRemoving(false)} onRemoved={onChanged} />
      <ShownOnce
        secret={link}
        title={`A password link for ${member.name}`}
        description="The link sets a new password, once, within one hour. Give the link only to this person. The link expires if their role changes or they join another workspace."
        noun="link"
        onClose={() => setLink(null)}
      />
    </li>
  );
}

/** Items of the menu for access that ends. */
const EXTENSIONS = [
  { days: 7, label: "Extend access by 7 days" },
  { days: 30, label: "Extend access by 30 days" },
  { days: null, label: "Make access permanent" },
] as const;

function Identity({ member }: { member: MemberView }) {
  return (
    <div className="min-w-40 flex-1">
      <p className="flex items-center gap-2 font-medium">
        {member.name} {member.isYou ? <Badge>you</Badge> : null}
      </p>
      <p className="text-muted text-sm">
        {member.email ?? "no e-mail address"}
        {member.email === null || member.isAddressProven ? "" : " (not verified)"} ·{" "}
        {member.lastSeenAt ? (
          <>
            seen <RelativeTime at={member.lastSeenAt} />
          </>
        ) : (
          "not signed in"
        )}
        {member.endsAt ? (
          <>
            {" "}
            · access ends <RelativeTime at={member.endsAt} />
          </>
        ) : null}
      </p>
    </div>
  );
}

interface RemoveDialogProps {
  member: MemberView;
  open: boolean;
  onClose: () => void;
  onRemoved: () => Promise<unknown>;
}

function RemoveDialog({ member, open, onClose, onRemoved }: RemoveDialogProps) {
  const trpc = useTRPC();
  return (
    <ActDialog
      mutation={trpc.people.remove.mutationOptions()}
      input={open && { personId: member.personId }}
      onClose={onClose}
      title={`Remove ${member.name}?`}
      confirm="Remove"
      success={`${member.name} is no longer in this workspace`}
      onDone={onRemoved}
    >
      <p>The person is signed out of this workspace immediately. Their publications and actions stay in the record.</p>
    </ActDialog>
  );
}
