"use client";

import { extensionName } from "@/components/extensions/words";
import { ActDialog } from "@/components/layout/act-dialog";
import { useTRPC } from "@/components/trpc/client";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { KeyValue } from "@/components/ui/key-value";
import type { ExtensionView } from "@/server/extensions/schema";

/** Accepts the version of a row for all agents, or takes the acceptance back. */
export function DecideDialog({ row, onClose }: { row: ExtensionView | null; onClose: () => void }) {
  const trpc = useTRPC();
  const isAccepted = row !== null && row.acceptedAt !== null;
  const input =
    row === null || row.digest === null
      ? false
      : { extensions: [{ agentId: row.agentId, key: row.key, digest: row.digest }] };
  return (
    <>
      <ActDialog
        mutation={trpc.extensions.accept.mutationOptions()}
        input={!isAccepted && input}
        onClose={onClose}
        title={row === null ? "" : `Accept this version of the ${extensionName(row)}?`}
        confirm="Accept this version"
        danger={false}
      >
        <p>Rules with the condition unaccepted let its calls pass, for every agent that has exactly these files.</p>
        {row === null ? null : <Version row={row} />}
      </ActDialog>
      <ActDialog
        mutation={trpc.extensions.withdraw.mutationOptions()}
        input={isAccepted && input}
        onClose={onClose}
        title={row === null ? "" : `Withdraw the acceptance of the ${extensionName(row)}?`}
        confirm="Withdraw acceptance"
      >
        <p>Rules with the condition unaccepted match its calls again, for every agent that has this version.</p>
        {row === null ? null : <Version row={row} />}
      </ActDialog>
    </>
  );
}

function Version({ row }: { row: ExtensionView }) {
  const { agent, project, path, version, digest, formerDigest, changedAt, acceptedBy, acceptedAt } = row;
  return (
    <KeyValue
      items={[
        { label: "Agent", value: agent },
        { label: "Path", value: project === null ? path : `${project}/${path}`, mono: true },
        { label: "Version", value: version ?? undefined },
        { label: "Digest", value: digest, mono: true },
        { label: "Former digest", value: formerDigest ?? undefined, mono: true },
        { label: "Changed", value: changedAt === null ? undefined : <RelativeTime at={changedAt} /> },
        {
          label: "Accepted",
          value:
            acceptedAt === null ? undefined : (
              <>
                by {acceptedBy}, <RelativeTime at={acceptedAt} />
              </>
            ),
        },
      ]}
    />
  );
}
