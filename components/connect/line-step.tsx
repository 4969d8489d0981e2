"use client";

import { PermittedButton } from "@/components/access/permitted-button";
import { Waiting } from "@/components/connect/arrival-step";
import type { Connection } from "@/components/connect/use-connection";
import { failureSentence } from "@/components/trpc/failure";
import { CodeBlock } from "@/components/ui/code/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";

/** The line to paste, with the name of the agent and the address in it. */
export function LineStep({ connection }: { connection: Connection }) {
  const { client, name, setName, url, setUrl, line, lineProblem, token, tokenState, isCreating } = connection;
  if (client === null) return null;
  if (connection.createError) return <ErrorLine>{failureSentence(connection.createError)}</ErrorLine>;
  if (token === null)
    return isCreating ? (
      <p role="status" className="flex items-center gap-2 text-muted text-sm">
        <Spinner /> Creating a one-use token…
      </p>
    ) : (
      <Renewal
        sentence="A command contains a secret token, so it is shown only when you create it."
        connection={connection}
      />
    );
  if (tokenState === "ended" || tokenState === "revoked")
    return <Renewal sentence="The token in this command is no longer valid." connection={connection} />;
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Agent name">
          <Input value={name} maxLength={64} autoComplete="off" onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field label="Address of this server" help="The address that the agent uses to reach this server.">
          <Input mono value={url} spellCheck={false} onChange={(event) => setUrl(event.target.value.trim())} />
        </Field>
      </div>
      {line === null ? (
        <ErrorLine>{lineProblem}</ErrorLine>
      ) : (
        <>
          <CodeBlock code={line} language="shell" label="Command to run" numbers={false} wrap />
          <div className="flex flex-wrap items-center gap-3">
            <CopyButton text={line} label="Copy the command" withLabel />
            <p className="min-w-48 flex-1 text-muted text-sm">{help(client)}</p>
          </div>
          <Waiting>Waiting for the machine to join…</Waiting>
        </>
      )}
    </div>
  );
}

function Renewal({ sentence, connection }: { sentence: string; connection: Connection }) {
  return (
    <p className="flex flex-wrap items-center gap-3 text-muted text-sm">
      {sentence}
      <PermittedButton to="agent:write" onClick={connection.create}>
        Create a new command
      </PermittedButton>
    </p>
  );
}

function help(client: NonNullable<Connection["client"]>): string {
  const token = "The token works once, within 1 hour after you create the command.";
  const second = "If the machine already has another connected client, the new client becomes a separate agent.";
  return client === "http"
    ? `Run the command in a shell. The command prints the agent's key, then sends a first test call. ${token}`
    : `Run the command in a terminal on the agent's machine. The command needs Node, and shows each file that it changes. ${token} ${second}`;
}
