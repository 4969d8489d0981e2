"use client";

import type { ReactNode } from "react";
import { DrillStep, FirstSessionStep, JoinedStep } from "@/components/connect/arrival-step";
import { ClientTiles } from "@/components/connect/client-tiles";
import { LineStep } from "@/components/connect/line-step";
import { PolicyStep } from "@/components/connect/policy-step";
import { Step } from "@/components/connect/step";
import { type Connection, useConnection } from "@/components/connect/use-connection";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { printTerm } from "@/components/ui/filter/filter-text";
import { Link } from "@/components/ui/link";

const CRUMBS = [{ label: "Agents", href: "/agents" }];

/** From a client to its first session: one line to paste, a drill and a pack. */
export function ConnectPage({ previews }: { previews: Readonly<Record<string, ReactNode>> }) {
  useLiveQueries(["agents", "policies"]);
  const connection = useConnection();
  const steps = stepsOf(connection, previews);
  const next = steps.findIndex(({ isDone }) => !isDone);
  // The first session begins when its user begins one: the connection is made before.
  const isMade = next === -1 || next === steps.length - 1;
  return (
    <>
      <PageHeader title="Connect an agent" crumbs={CRUMBS} />
      <PageBody>
        <div className="mx-auto flex w-full max-w-180 flex-col gap-4">
          <ol aria-label="Steps" className="flex flex-col overflow-hidden rounded-md border bg-surface">
            {steps.map(({ title, isDone, content }, index) => (
              <Step key={title} number={index + 1} title={title} heading="h2" isDone={isDone} isNext={index === next}>
                {next === -1 || index <= next || isDone ? <div className="mt-2">{content}</div> : null}
              </Step>
            ))}
          </ol>
          {connection.agent === null ? (
            <p className="text-muted text-sm">
              For a script or a program of your own,{" "}
              <Link className="link" href="/agents?do=create">
                create an agent with a key
              </Link>{" "}
              instead.
            </p>
          ) : null}
          {isMade && connection.agent ? <Done agent={connection.agent} onRestart={connection.restart} /> : null}
        </div>
      </PageBody>
    </>
  );
}

function stepsOf(connection: Connection, previews: Readonly<Record<string, ReactNode>>) {
  const { client, choose, agent, row, isCreating, isHeard, isDrilled } = connection;
  return [
    {
      title: "Choose the client",
      isDone: client !== null,
      content: <ClientTiles chosen={client} onChoose={choose} busy={isCreating} />,
    },
    {
      title: "Run one command on the agent's machine",
      isDone: agent !== null,
      content: agent === null ? <LineStep connection={connection} /> : <JoinedStep connection={connection} />,
    },
    {
      title: "Drill",
      isDone: isDrilled || (client === "http" && agent !== null),
      content: <DrillStep connection={connection} />,
    },
    {
      title: "Put a policy in force",
      isDone: row !== null && row.policies.length > 0,
      content: <PolicyStep connection={connection} previews={previews} />,
    },
    { title: "First session", isDone: isHeard, content: <FirstSessionStep connection={connection} /> },
  ];
}

const callsOf = (agent: string) => new URLSearchParams({ q: printTerm({ key: "agent", value: agent }) });

function Done({ agent, onRestart }: { agent: NonNullable<Connection["agent"]>; onRestart: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="font-medium">{agent.name} is connected. Its calls are checked from now on.</p>
      <Button asChild variant="primary">
        <Link href={`/agents/${agent.id}`}>Open the agent</Link>
      </Button>
      <Button asChild>
        <Link href={`/activity?${callsOf(agent.name)}`}>See its calls</Link>
      </Button>
      <Button onClick={onRestart}>Connect another client</Button>
    </div>
  );
}
