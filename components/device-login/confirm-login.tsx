"use client";

import { useMutation } from "@tanstack/react-query";
import { usePermission } from "@/components/access/permission";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { KeyValue } from "@/components/ui/key-value";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import type { ConfirmedLogin, WaitingLogin } from "@/server/device-login/schema";

export type LoginAnswer = ConfirmedLogin | "refused";

export interface ConfirmLoginProps {
  login: WaitingLogin;
  onAnswer: (answer: LoginAnswer) => void;
  onBack: () => void;
}

/** Shows who asks, and takes the answer. */
export function ConfirmLogin({ login, onAnswer, onBack }: ConfirmLoginProps) {
  const trpc = useTRPC();
  const confirm = useMutation(trpc.deviceLogin.confirm.mutationOptions({ onSuccess: onAnswer }));
  const refuse = useMutation(trpc.deviceLogin.refuse.mutationOptions({ onSuccess: () => onAnswer("refused") }));
  const { isGranted: isApprover } = usePermission("approval:decide");
  const isBusy = confirm.isPending || refuse.isPending;
  const error = confirm.error ?? refuse.error;
  const input = { userCode: login.code };
  return (
    <Section title="Is this your computer?">
      <div className="rounded-md border bg-surface p-4">
        <LoginFacts login={login} />
      </div>
      <OwnerNotice login={login} />
      <p className="text-muted text-sm">
        Compare the code and the computer with your terminal. Refuse if you did not run the command yourself.
        {isApprover ? " You cannot approve the calls of an agent that you log in on." : null}
      </p>
      {error ? <ErrorLine>{failureSentence(error)}</ErrorLine> : null}
      <div className="flex flex-wrap gap-2 pt-1">
        <Button
          variant="primary"
          busy={confirm.isPending}
          disabled={isBusy || login.obstacle !== null}
          onClick={() => confirm.mutate(input)}
        >
          Log in this computer
        </Button>
        <Button busy={refuse.isPending} disabled={isBusy} onClick={() => refuse.mutate(input)}>
          Refuse
        </Button>
        <Button variant="ghost" disabled={isBusy} onClick={onBack}>
          Back
        </Button>
      </div>
    </Section>
  );
}

const UNKNOWN_OWNER = "an unknown person";

function LoginFacts({ login }: { login: WaitingLogin }) {
  const { code, agentId, agentName, hostName, ip, askedAt, expiresAt, owner } = login;
  const agent = (
    <Link className="link" href={`/agents/${agentId}`}>
      {agentName}
    </Link>
  );
  const computer = (
    <>
      {hostName} <span className="text-faint">as the computer states it</span>
    </>
  );
  return (
    <KeyValue
      items={[
        { label: "Code", value: <span className="text-lg tracking-widest">{code}</span>, mono: true },
        { label: "Agent", value: agent },
        { label: "Computer", value: computer },
        { label: "Address", value: ip ?? undefined, mono: true },
        { label: "Asked", value: <RelativeTime at={askedAt} /> },
        { label: "Expires", value: <RelativeTime at={expiresAt} /> },
        { label: "Now works for", value: owner === null ? UNKNOWN_OWNER : `${owner.name} (${owner.certainty})` },
      ]}
    />
  );
}

function OwnerNotice({ login: { agentName, owner, obstacle } }: { login: WaitingLogin }) {
  if (obstacle === "shared_agent")
    return (
      <Notice kind="warning">
        {agentName} is the shared agent of a service. Only people who manage agents can log in on it.
      </Notice>
    );
  if (obstacle === "policies")
    return (
      <Notice kind="warning">
        {agentName} would lose policies that it has through {owner?.name}. Ask a person who may publish policies to set
        the owner (Agents, Works for).
      </Notice>
    );
  if (owner === null || owner.isReader) return null;
  return (
    <Notice kind="warning">
      You replace {owner.name}. From now on, the calls of {agentName} are recorded under your name.
    </Notice>
  );
}
