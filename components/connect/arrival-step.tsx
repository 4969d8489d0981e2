import type { ReactNode } from "react";
import { connectedClientTitle } from "@/components/connect/client-tiles";
import type { Connection } from "@/components/connect/use-connection";
import { failureSentence } from "@/components/trpc/failure";
import { CodeBlock } from "@/components/ui/code/code-block";
import { ErrorLine } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Spinner } from "@/components/ui/spinner";
import { clientTitle } from "@/server/dialects/schema";

/** The agent that joined, with its client and version. */
export function JoinedStep({ connection }: { connection: Connection }) {
  const { client, agent, row, drill, arrivalError } = connection;
  if (arrivalError) return <ErrorLine>{failureSentence(arrivalError)}</ErrorLine>;
  if (agent === null) return null;
  const known = row?.client ?? drill?.client ?? null;
  const version = row?.clientVersion ?? drill?.clientVersion ?? null;
  const title = known === null ? client && connectedClientTitle(client) : clientTitle(known);
  return (
    <p role="status" className="text-sm">
      <Link className="link" href={`/agents/${agent.id}`}>
        {agent.name}
      </Link>{" "}
      · {title}
      {version === null ? "" : ` ${version}`} · joined
    </p>
  );
}

/** The first event of a session of its user; the calls of a drill are not one. */
export function FirstSessionStep({ connection: { agent, row } }: { connection: Connection }) {
  if (agent === null) return null;
  if (!row?.lastSeenAt) return <Waiting>Waiting for the agent's first session…</Waiting>;
  return (
    <p role="status" className="text-sm">
      Latest event <RelativeTime at={row.lastSeenAt} />
    </p>
  );
}

/** The newest drill: known-bad calls through the client's own hooks, each of which must be blocked. */
export function DrillStep({ connection }: { connection: Connection }) {
  const { client, agent, drill, isDrilled, url } = connection;
  if (client === "http")
    return (
      <p className="text-muted text-sm">
        A drill tests a client's hooks. An agent on plain HTTP has no hooks, so there is no drill to run.
      </p>
    );
  if (agent === null) return null;
  if (drill === null) return <Waiting>Waiting for the drill, the last step of the enrolment command…</Waiting>;
  const blocked = drill.results.filter(({ outcome }) => outcome === "blocked").length;
  const undenied = drill.results.filter(({ policy }) => policy !== "deny").length;
  const counted = `${blocked} of ${drill.results.length} known-bad calls blocked`;
  return (
    <div className="flex flex-col gap-2">
      <p role="status">
        <Mark tone={isDrilled ? "allow" : "deny"} look="plain" label={counted} />
      </p>
      {isDrilled && undenied > 0 ? (
        <p className="text-muted text-sm">
          The client obeys a denial. At the time of the drill, no policy denied {undenied} of these calls.
        </p>
      ) : null}
      {isDrilled || client === null ? null : (
        <>
          <p className="text-muted text-sm">Restart the client, then run the drill again:</p>
          <CodeBlock
            code={`node quarterdeck-enrol.mjs drill ${client} --url ${url}`}
            language="shell"
            label="Drill again"
            numbers={false}
            wrap
          />
        </>
      )}
    </div>
  );
}

/** A step that ends by itself. */
export function Waiting({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="flex items-center gap-2 text-muted text-sm">
      <Spinner /> {children}
    </p>
  );
}
