"use client";

import { failureSentence } from "@/components/trpc/failure";
import { Badge } from "@/components/ui/badge";
import { ErrorLine } from "@/components/ui/error-state";
import { plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { RefusedRequest, RequestLogView } from "@/server/request-log/schema";

interface RequestLogQuery {
  readonly data: RequestLogView | undefined;
  readonly error: unknown;
  readonly isError: boolean;
}

export interface RequestLogProps {
  query: RequestLogQuery;
  /** The owner of the keys: "payments-bot". */
  of: string;
}

/** The refused and failed requests of keys in the last seven days: groups with their reason, count and time. */
export function RequestLog({ query, of }: RequestLogProps) {
  const { data } = query;
  if (query.isError && data === undefined) return <ErrorLine>{failureSentence(query.error)}</ErrorLine>;
  if (data === undefined)
    return (
      <Loading label="the request log">
        <SkeletonText lines={2} />
      </Loading>
    );
  if (data.rows.length === 0 && data.notLogged === 0)
    return <p className="text-muted text-sm">The gateway refused no requests in the last 7 days.</p>;
  return (
    <div className="flex flex-col gap-2">
      <ul
        aria-label={`Refused requests from ${of}`}
        className="flex flex-col divide-y divide-line rounded-md border bg-surface"
      >
        {data.rows.map((row) => (
          <RequestLine key={keyOf(row)} row={row} />
        ))}
      </ul>
      {data.notLogged > 0 ? (
        <p className="text-muted text-sm">
          {plural(data.notLogged, "more refused request")} not listed because too many arrived at once.
        </p>
      ) : null}
    </div>
  );
}

/** Rows whose address is not shown may differ in their times alone. */
const keyOf = ({ hint, status, code, method, route, client, firstAt, lastAt }: RefusedRequest): string =>
  [hint, status, code, method, route, client, firstAt.getTime(), lastAt.getTime()].join(" ");

function RequestLine({ row }: { row: RefusedRequest }) {
  const { hint, status, reason, method, route, client, count, firstAt, lastAt } = row;
  return (
    <li className="flex min-w-0 flex-col gap-1 px-3 py-2">
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <Badge mono>{status}</Badge>
        <code className="min-w-0 break-all text-sm">
          {method} {route}
        </code>
        <span className="ml-auto whitespace-nowrap text-sm tabular-nums">{plural(count, "request")}</span>
      </span>
      <span className="text-sm">{reason}</span>
      <span className="text-muted text-sm">
        Key <code>{hint}…</code> {client === null ? "" : `from ${client} `}· {count > 1 ? "last " : ""}
        <RelativeTime at={lastAt} />
        {count > 1 ? (
          <>
            , first <RelativeTime at={firstAt} />
          </>
        ) : null}
      </span>
    </li>
  );
}
