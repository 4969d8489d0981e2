"use client";

import { NEWEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import { enrolmentUrl } from "@/components/agents/agent-status";
import { ClientFiles } from "@/components/agents/client-files";
import { TopicLink } from "@/components/layout/help/topic-link";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { ErrorState } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { saveFile } from "@/components/ui/save-file";
import { Select } from "@/components/ui/select";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { type AskEnrolment, askEnrolment, type EnrolmentView } from "@/server/agents/schema";
import {
  ENROLLED_CLIENT_NAMES,
  ENROLLED_CLIENTS,
  type EnrolledClient,
  type EnrolledClientInfo,
  type EnrolmentScope,
} from "@/server/dialects/schema";

type Profile = AskEnrolment["profile"];
type Client = EnrolledClient;
type Way = "files" | "docker-agent" | "local" | "curl" | "policy";

const PROFILES: readonly { value: Profile; label: string }[] = [
  { value: "2026-11", label: "2026-11: 1.147 or later" },
  { value: "2026-08", label: "2026-08: 1.138 or later" },
  { value: "2026-07", label: "2026-07: any version" },
];
const CLIENTS: readonly { value: Client; label: string }[] = ENROLLED_CLIENT_NAMES.map((value) => ({
  value,
  label: ENROLLED_CLIENTS[value].title,
}));
const SCOPES: Readonly<Record<EnrolmentScope, string>> = {
  user: "This user",
  project: "One project",
  managed: "Every user",
};
const never = () => () => undefined;

/** The steps that enrol an agent, for its known client at first. The key is in none of the texts. */
export function Enrolment({ knownClient }: { knownClient?: Client | null }) {
  const trpc = useTRPC();
  const [profile, setProfile] = useState<Profile>(NEWEST_PROFILE);
  const [chosen, setClient] = useState<Client | null>(null);
  const client = chosen ?? knownClient ?? "docker-agent";
  const [wanted, setWanted] = useState<EnrolmentScope>("user");
  const [typed, setTyped] = useState<string | null>(null);
  const origin = useSyncExternalStore(
    never,
    () => window.location.origin,
    () => null,
  );
  const own = useQuery(trpc.agents.enrolment.queryOptions({ profile }));
  const preset = own.data && origin !== null ? enrolmentUrl(own.data.url, origin) : "";
  const url = typed ?? preset;
  const info: EnrolledClientInfo | null = client === "docker-agent" ? null : ENROLLED_CLIENTS[client];
  const scope = info?.scopes.includes(wanted) ? wanted : "user";
  const parsed = askEnrolment.safeParse({ profile, url });
  const wrong =
    url !== "" && !parsed.success
      ? (parsed.error.issues[0]?.message ?? "Enter an address such as https://quarterdeck.example.org.")
      : null;
  const text = useQuery({
    ...trpc.agents.enrolment.queryOptions({ profile, url, client, scope }),
    enabled: parsed.success && url !== "",
    placeholderData: keepPreviousData,
  });
  const failure = own.error ?? text.error;
  return (
    <div className="flex flex-col gap-4">
      <KeyLine isWritten={info !== null} />
      <div className="grid gap-3 sm:grid-cols-[170px_1fr_180px]">
        <Field label="Client" aside={<TopicLink topic="enrolment" />}>
          <Select value={client} onChange={setClient} options={CLIENTS} />
        </Field>
        <Field
          label="Address of this server"
          help="The address that the agent uses to reach this server."
          error={wrong}
        >
          <Input mono value={url} spellCheck={false} onChange={(event) => setTyped(event.target.value.trim())} />
        </Field>
        {info === null ? (
          <Field label="Profile" help="docker-agent's version.">
            <Select value={profile} onChange={setProfile} options={PROFILES} />
          </Field>
        ) : (
          <Field label="Settings" help="The client's settings file that gets the hooks.">
            <Select
              value={scope}
              onChange={setWanted}
              options={info.scopes.map((value) => ({ value, label: SCOPES[value] }))}
            />
          </Field>
        )}
      </div>
      {failure ? (
        <ErrorState
          compact
          title="The snippets could not be loaded"
          reason={failureSentence(failure)}
          onRetry={() => void text.refetch()}
        />
      ) : text.data === undefined ? (
        <Loading label="the snippets">
          <SkeletonText lines={8} />
        </Loading>
      ) : info === null ? (
        <Snippets snippets={text.data} />
      ) : (
        <ClientFiles title={info.title} view={text.data.client} />
      )}
    </div>
  );
}

function Snippets({ snippets }: { snippets: EnrolmentView }) {
  const [way, setWay] = useState<Way>("docker-agent");
  return (
    <Tabs<Way>
      label="Ways to enrol"
      value={way}
      onChange={setWay}
      contentClassName="pt-3"
      tabs={[
        {
          value: "docker-agent",
          label: "docker-agent",
          content: (
            <Snippet
              says="Add this block to the agent in its docker-agent file. Each event sends a request to this server. At a gate, the action is blocked if the server does not answer."
              code={snippets.hooks}
              language="yaml"
              label="Hooks for docker-agent"
              file="quarterdeck-hooks.yaml"
            />
          ),
        },
        {
          value: "files",
          label: "Drop-in file",
          content: <ClientFiles title="docker-agent" view={snippets.client} />,
        },
        {
          value: "local",
          label: "Local executor",
          content: (
            <Snippet
              says="Run a local executor, a single Node file, instead of asking this server for each event. The executor runs the hooks that a policy places on the agent's machine. The executor accepts only signed policies. While this server is unreachable, it uses the last policies that it received."
              code={snippets.local}
              language="yaml"
              label="Hooks for the local executor"
              file="quarterdeck-local-hooks.yaml"
            />
          ),
        },
        {
          value: "curl",
          label: "Plain curl",
          content: (
            <Snippet
              says="The smallest integration: one request for each event. The call then appears on the Activity page."
              code={snippets.curl}
              language="shell"
              label="Call the agent API yourself"
            />
          ),
        },
        {
          value: "policy",
          label: "Fetch the policy",
          content: (
            <Snippet
              says="For an agent that runs its own hooks. The request returns the signed effective policy if it has changed."
              code={snippets.policy}
              language="shell"
              label="Fetching the policy"
            />
          ),
        },
      ]}
    />
  );
}

function KeyLine({ isWritten }: { isWritten: boolean }) {
  const command = "read -rs QUARTERDECK_KEY && export QUARTERDECK_KEY";
  return (
    <div className="flex flex-col gap-1">
      <p className="text-muted">
        {isWritten
          ? "The enrolment command stores the key in a file of this user. Run this command first, then paste the key:"
          : "The snippets read the key from an environment variable. In the shell that starts the agent, run this command, then paste the key:"}
      </p>
      <div className="flex items-center gap-1 rounded-md border bg-sunken py-0.5 pr-0.5 pl-2.5">
        <code className="min-w-0 flex-1 whitespace-pre-wrap break-all">{command}</code>
        <CopyButton text={command} label="Copy the command" size="sm" />
      </div>
    </div>
  );
}

interface SnippetProps {
  says: string;
  code: string;
  language: "yaml" | "shell";
  label: string;
  file?: string;
}

function Snippet({ says, code, language, label, file }: SnippetProps) {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-muted">{says}</p>
      <CodeBlock code={code} language={language} label={label} titled maxHeight={320} />
      {file === undefined ? null : (
        <div className="flex justify-end gap-2">
          <Button size="sm" onClick={() => saveFile(file, new Blob([code], { type: "application/yaml" }))}>
            Download {file}
          </Button>
        </div>
      )}
    </div>
  );
}
