"use client";

import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useOrigin } from "@/components/overview/use-origin";
import { useTRPC } from "@/components/trpc/client";
import { everyAgent, everyPolicy } from "@/components/trpc/every-page";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { CodeBlock } from "@/components/ui/code/code-block";
import { Link } from "@/components/ui/link";
import { Spinner } from "@/components/ui/spinner";

/** Three steps from an empty installation to the first verdict; each is checked off automatically. */
export function FirstSteps({ hasEvents }: { hasEvents: boolean }) {
  const trpc = useTRPC();
  // The same queries as on the other pages, since a publication or a new agent updates those.
  const policies = useQuery(everyPolicy(trpc));
  const agents = useQuery(everyAgent(trpc));
  const origin = useOrigin();
  const policy = policies.data?.find((each) => each.latestRevision > 0);
  const agent = agents.data?.[0];
  const next = !policy ? 1 : !agent ? 2 : 3;
  return (
    <section aria-labelledby="first-steps" className="mx-auto flex w-full max-w-180 flex-col gap-4 py-4 md:py-8">
      <header className="flex flex-col gap-1">
        <h2 id="first-steps" className="text-xl">
          Three steps to the first verdict
        </h2>
        <p className="text-muted">
          Each ticks itself off when it is done. Figures take this place with the first event.
        </p>
      </header>
      <ol className="flex flex-col overflow-hidden rounded-md border bg-surface">
        <Step
          number={1}
          title="Publish a policy"
          done={policy !== undefined}
          isNext={next === 1}
          action={
            <Button asChild variant={next === 1 ? "primary" : "secondary"}>
              <Link href={policy ? `/policies/${policy.id}` : "/policies"}>{policy ? "Open" : "Write one"}</Link>
            </Button>
          }
        >
          {policy ? (
            <>
              <strong className="font-medium">{policy.name}</strong> is published in revision {policy.latestRevision}.
            </>
          ) : (
            "YAML hooks that allow, ask or deny. The starting text stops rm -rf; publish it as it is to try."
          )}
        </Step>
        <Step
          number={2}
          title="Create an agent"
          done={agent !== undefined}
          isNext={next === 2}
          action={
            <Button asChild variant={next === 2 ? "primary" : "secondary"}>
              <Link href="/agents">{agent ? "Open" : "Create one"}</Link>
            </Button>
          }
        >
          {agent ? (
            <>
              <strong className="font-medium">{agent.name}</strong> has a key to send events with.
            </>
          ) : (
            "It gets a key, shown once. Keep it at hand as QUARTERDECK_KEY."
          )}
        </Step>
        <Step number={3} title="Send a first event" done={hasEvents} isNext={next === 3}>
          <p>Ask the gate about a command, as an agent does before it runs one:</p>
          <CodeBlock className="mt-2" code={firstEvent(origin)} language="shell" label="First event" numbers={false} />
          {next === 3 && !hasEvents ? (
            <p role="status" className="mt-2 flex items-center gap-2 text-muted text-sm">
              <Spinner /> Waiting for it. This page moves on by itself.
            </p>
          ) : null}
        </Step>
      </ol>
    </section>
  );
}

const firstEvent = (origin: string): string => `curl -sS ${origin}/api/v1/hooks/pre_tool_use \\
  -H "Authorization: Bearer $QUARTERDECK_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"session_id": "first", "tool_name": "shell", "tool_use_id": "call_1", "tool_input": {"cmd": "rm -rf /"}}'`;

interface StepProps {
  number: number;
  title: string;
  done: boolean;
  isNext: boolean;
  action?: ReactNode;
  children: ReactNode;
}

function Step({ number, title, done, isNext, action, children }: StepProps) {
  return (
    <li className={cn("flex gap-3 border-line p-4 not-first:border-t", isNext && "bg-selected")}>
      <span
        className={cn(
          "flex size-6 shrink-0 items-center justify-center rounded-full border font-semibold text-sm",
          done
            ? "border-allow-line bg-allow-soft text-allow"
            : isNext
              ? "border-accent-line text-accent-text"
              : "text-faint",
        )}
      >
        {done ? <Check aria-hidden className="size-3.5" strokeWidth={2.5} /> : <span aria-hidden>{number}</span>}
        <span className="sr-only">{done ? "Done:" : `Step ${number}:`}</span>
      </span>
      <div className="min-w-0 flex-1">
        <h3 className="text-md">{title}</h3>
        <div className="text-muted">{children}</div>
      </div>
      {action ? <div className="shrink-0">{action}</div> : null}
    </li>
  );
}
