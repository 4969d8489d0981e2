"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePermissions } from "@/components/access/permission";
import { Step } from "@/components/connect/step";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { Link } from "@/components/ui/link";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { Permission } from "@/server/access/permissions";
import type { SetupChecklist, SetupStep } from "@/server/setup/schema";

interface StepText {
  /** The permission that the step takes; null for a step of one's own account. */
  readonly to: Permission | null;
  readonly title: string;
  readonly says: string;
  readonly action: string;
  readonly href: string;
}

const STEPS: Readonly<Record<SetupStep, StepText>> = {
  agent: {
    to: "agent:write",
    title: "Connect an agent",
    says: "Run one command on the agent's machine. Then this page shows the agent's first event.",
    ...{ action: "Connect an agent", href: "/agents/connect" },
  },
  policy: {
    to: "policy:publish",
    title: "Put a policy in force",
    says: "Install a pack of ready rules that deny dangerous commands. The dialog shows which recorded calls the pack would have denied.",
    ...{ action: "Choose a pack", href: "/policies/packs" },
  },
  drill: {
    to: "agent:write",
    title: "Pass a drill",
    says: "A drill sends known-bad calls through an agent's own hooks. The hooks must block each of them.",
    ...{ action: "Show undrilled agents", href: "/agents?q=posture:undrilled" },
  },
  sign_in: {
    to: null,
    title: "Set a password",
    says: "With a password, you can sign in without a link from the server.",
    ...{ action: "Set a password", href: "/settings" },
  },
  second_admin: {
    to: "people:manage",
    title: "Add a second admin",
    says: "A second admin can approve your changes and restore your access.",
    ...{ action: "Invite a person", href: "/settings/people?do=invite-admin" },
  },
  approvers: {
    to: "policy:govern",
    title: "Choose approvers",
    says: "An approver list sets who is asked to allow or deny risky calls.",
    ...{ action: "Choose approvers", href: "/approvals/answerers" },
  },
  notifications: {
    to: null,
    title: "Receive notifications",
    says: "Approval requests and alerts reach you by e-mail or webhook, even when this page is closed.",
    ...{ action: "Set up notifications", href: "/settings/notifications" },
  },
  checkpoints: {
    to: "record:manage",
    title: "Store checkpoints elsewhere",
    says: "With checkpoints outside the data directory, you can prove that no audit entry was removed.",
    ...{ action: "Choose where", href: "/audit/proof" },
  },
};

/** The steps of the setup that this person may do, until all are done or the person dismisses it. */
export function Checklist() {
  useLiveQueries(["agents", "policies", "approvals"]);
  const trpc = useTRPC();
  const list = useQuery(trpc.setup.checklist.queryOptions());
  const start = useQuery(trpc.overview.start.queryOptions());
  const isFresh = start.data?.hasEvents === false;
  const may = usePermissions();
  if (list.data) {
    const steps = list.data.steps.filter(({ step }) => isPermitted(step, may));
    if (steps.length === 0) return null;
    const own = { ...list.data, steps };
    return isFresh ? <FullList list={own} /> : <Strip list={own} />;
  }
  if (!isFresh) return null;
  if (list.error)
    return (
      <ErrorState
        compact
        title="The setup checklist could not be loaded"
        reason={failureSentence(list.error)}
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    );
  return (
    <Loading label="the setup checklist">
      <Skeleton className="mx-auto h-96 w-full max-w-180" />
    </Loading>
  );
}

function isPermitted(step: SetupStep, may: ReturnType<typeof usePermissions>): boolean {
  const { to } = STEPS[step];
  return to === null || may(to).isGranted;
}

const countOf = ({ steps }: SetupChecklist) => steps.filter(({ isDone }) => isDone).length;

function FullList({ list, onDismiss }: { list: SetupChecklist; onDismiss?: () => void }) {
  const next = list.steps.find(({ isDone }) => !isDone)?.step;
  return (
    <section aria-labelledby="setup" className="mx-auto flex w-full max-w-180 flex-col gap-3">
      <header className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="setup" className="text-xl">
          Set up this workspace
        </h2>
        <p className="text-muted text-sm">
          {countOf(list)} of {list.steps.length} done
        </p>
        {onDismiss ? (
          <Button size="sm" variant="ghost" className="ml-auto" onClick={onDismiss}>
            Dismiss
          </Button>
        ) : null}
      </header>
      <ol className="flex flex-col overflow-hidden rounded-md border bg-surface">
        {list.steps.map(({ step, isDone }, index) => (
          <ListedStep key={step} step={step} isDone={isDone} number={index + 1} isNext={step === next} />
        ))}
      </ol>
    </section>
  );
}

interface ListedStepProps {
  step: SetupStep;
  number: number;
  isDone: boolean;
  isNext: boolean;
}

function ListedStep({ step, number, isDone, isNext }: ListedStepProps) {
  const { title, says, action, href } = STEPS[step];
  return (
    <Step
      number={number}
      title={title}
      isDone={isDone}
      isNext={isNext}
      action={
        isDone ? null : (
          <Button asChild variant={isNext ? "primary" : "secondary"}>
            <Link href={href}>{action}</Link>
          </Button>
        )
      }
    >
      <p className="text-muted text-sm">{says}</p>
    </Step>
  );
}

/** One line above the figures: how much is done, and the next step. */
function Strip({ list }: { list: SetupChecklist }) {
  const [isOpen, setOpen] = useState(false);
  const dismissal = useDismissal();
  const open = list.steps.find(({ isDone }) => !isDone);
  if (list.isDismissed || open === undefined) return null;
  if (isOpen) return <FullList list={list} onDismiss={dismissal.dismiss} />;
  const { title, action, href } = STEPS[open.step];
  return (
    <section
      aria-label="Setup"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border bg-surface px-4 py-2"
    >
      <p className="min-w-48 flex-1 text-sm">
        <span className="font-medium">
          {list.hasDemo ? "Setup (demo data not counted)" : "Setup"}: {countOf(list)} of {list.steps.length} done.
        </span>{" "}
        Next: {title.charAt(0).toLowerCase() + title.slice(1)}.
      </p>
      <Button asChild size="sm">
        <Link href={href}>{action}</Link>
      </Button>
      <Button size="sm" variant="ghost" aria-expanded={false} onClick={() => setOpen(true)}>
        Show all steps
      </Button>
      <Button size="sm" variant="ghost" busy={dismissal.isBusy} onClick={dismissal.dismiss}>
        Dismiss
      </Button>
    </section>
  );
}

function useDismissal() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  // Options of the mutation, not of the call: a live update may remove the checklist before the answer arrives.
  const change = useMutation(
    trpc.setup.setDismissed.mutationOptions({
      onSuccess: async (_done, { isDismissed }) => {
        await queries.invalidateQueries({ queryKey: trpc.setup.pathKey() });
        if (isDismissed)
          toast.success("Setup checklist dismissed", {
            duration: 10_000,
            action: { label: "Undo", onClick: () => send(false) },
          });
      },
      onError: (error) => toast.error("Couldn't dismiss the checklist", { description: failureSentence(error) }),
    }),
  );
  const send = (isDismissed: boolean) => change.mutate({ isDismissed });
  return { dismiss: () => send(true), isBusy: change.isPending };
}
