import { PermittedButton } from "@/components/access/permitted-button";
import { extensionName, KIND_WORDS, shortDigest, versionWords } from "@/components/extensions/words";
import { CopyButton } from "@/components/ui/copy-button";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import type { Column } from "@/components/ui/table/types";
import { Tooltip } from "@/components/ui/tooltip";
import { clientTitle } from "@/server/dialects/schema";
import type { ExtensionView } from "@/server/extensions/schema";

export const extensionKey = ({ agentId, key }: ExtensionView): string => `${agentId} ${key}`;

const UNREAD = "The program could not read all of its files. Its version cannot be accepted.";

/** `onDecide` opens the dialog that accepts a version, or takes that back. */
export const extensionColumns = (onDecide: (row: ExtensionView) => void): readonly Column<ExtensionView>[] => [
  {
    id: "name",
    header: "Name",
    width: 168,
    grow: true,
    priority: 1,
    fixed: true,
    sortable: true,
    value: ({ name }) => name,
    cell: ({ name, path, project }) => (
      <span className="truncate font-mono" title={project === null ? path : `${project}/${path}`}>
        {name}
      </span>
    ),
  },
  { id: "kind", header: "Kind", width: 124, value: ({ kind }) => kind, cell: ({ kind }) => KIND_WORDS[kind] },
  {
    id: "agent",
    header: "Agent",
    width: 110,
    value: ({ agent }) => agent,
    cell: ({ agent, agentId }) => (
      <Link href={`/agents/${agentId}`} className="truncate rounded-sm hover:underline">
        {agent}
      </Link>
    ),
  },
  {
    id: "client",
    header: "Client",
    width: 104,
    value: ({ client }) => (client === null ? null : clientTitle(client)),
    cell: ({ client }) => (client === null ? <Missing reason="Unknown client." /> : clientTitle(client)),
  },
  {
    id: "version",
    header: "Version",
    width: 72,
    value: ({ version }) => version,
    cell: ({ version }) =>
      version === null ? <Missing reason="It states no version." /> : <span className="truncate">{version}</span>,
  },
  {
    id: "digest",
    header: "Digest",
    hint: "SHA-256 of its files or settings.",
    width: 148,
    value: ({ digest }) => digest,
    cell: ({ digest, name }) =>
      digest === null ? (
        <Missing reason={UNREAD} />
      ) : (
        <span className="flex items-center gap-1">
          <span className="font-mono" title={digest}>
            {shortDigest(digest)}
          </span>
          <CopyButton size="sm" text={digest} label={`Copy the digest of ${name}`} />
        </span>
      ),
  },
  {
    id: "changed",
    header: "Changed",
    width: 160,
    sortable: true,
    value: ({ changedAt }) => changedAt,
    cell: (row) => <Changed row={row} />,
  },
  {
    id: "seen",
    header: "Last seen",
    width: 104,
    sortable: true,
    hidden: true,
    value: ({ lastSeenAt }) => lastSeenAt,
    cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} />,
  },
  { id: "status", header: "Status", width: 136, value: statusWord, cell: (row) => <Status row={row} /> },
  {
    id: "decide",
    header: "Acceptance",
    hasHiddenHeader: true,
    width: 112,
    cell: (row) =>
      row.removedAt !== null || row.digest === null ? null : (
        <PermittedButton
          to="extension:accept"
          size="sm"
          aria-label={`${row.acceptedAt === null ? "Accept" : "Withdraw the acceptance of"} the ${extensionName(row)} of ${row.agent}`}
          onClick={() => onDecide(row)}
        >
          {row.acceptedAt === null ? "Accept…" : "Withdraw…"}
        </PermittedButton>
      ),
  },
];

function Changed({ row: { changedAt, formerVersion, formerDigest, firstSeenAt } }: { row: ExtensionView }) {
  if (changedAt === null)
    return (
      <span className="text-muted">
        added <RelativeTime at={firstSeenAt} />
      </span>
    );
  return (
    <span className="truncate" title={formerDigest ?? undefined}>
      <RelativeTime at={changedAt} />{" "}
      <span className="text-muted">from {versionWords(formerVersion, formerDigest)}</span>
    </span>
  );
}

export function statusWord({ removedAt, digest, acceptedAt }: ExtensionView): string {
  if (removedAt !== null) return "Removed";
  if (digest === null) return "Not read";
  return acceptedAt === null ? "Not accepted" : "Accepted";
}

function Status({ row }: { row: ExtensionView }) {
  const label = statusWord(row);
  if (row.removedAt !== null) return <Mark tone="canceled" look="plain" label={label} />;
  if (row.digest === null)
    return (
      <Tooltip content={UNREAD}>
        <Mark tone="unknown" look="plain" label={label} />
      </Tooltip>
    );
  return <Mark tone={row.acceptedAt === null ? "ask" : "allow"} look="plain" label={label} />;
}
