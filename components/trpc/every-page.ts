/** Lists that people keep and pages show whole: every page of them, one after the other, under the first page's key. */
import type { QueryFunction, QueryKey } from "@tanstack/react-query";
import type { TRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { PAGE_ROWS } from "@/server/access/role-schema";
import type { AgentView } from "@/server/agents/schema";
import type { AppRouter } from "@/server/composition/router";
import type { InvitationView, MemberView, ServiceView } from "@/server/people/schema";
import { type PolicyView, REVISIONS_PAGE_ROWS, type RevisionView } from "@/server/policies/schema";

/** Ends a list that never ends. */
const PAGES_MAX = 1_000;

interface Paging<Row, Cursor> {
  /** The last row's key, after which the next page begins. */
  readonly cursorOf: (row: Row) => Cursor;
  /** The order of the whole, when it is not that of the pages. */
  readonly compare?: (a: Row, b: Row) => number;
  /** Rows of a full page. */
  readonly rowsMax?: number;
}

export function everyPage<Row, Cursor, Options extends { readonly queryKey: QueryKey }>(
  pageAfter: (cursor: Cursor | null) => Options,
  { cursorOf, compare, rowsMax = PAGE_ROWS }: Paging<Row, Cursor>,
): Options {
  const queryFn: QueryFunction<Row[]> = async (context) => {
    const all: Row[] = [];
    let cursor: Cursor | null = null;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const options: Options & { queryFn?: QueryFunction<Row[]> } = pageAfter(cursor);
      if (!options.queryFn) break;
      const rows = await options.queryFn({ ...context, queryKey: options.queryKey });
      all.push(...rows);
      const last = rows.at(-1);
      if (rows.length < rowsMax || last === undefined) break;
      cursor = cursorOf(last);
    }
    return compare ? all.sort(compare) : all;
  };
  return { ...pageAfter(null), queryFn };
}

type Procedures = TRPCOptionsProxy<AppRouter>;
type ById = { cursor: string } | undefined;
const after = (cursor: string | null): ById => (cursor === null ? undefined : { cursor });
const idOf = ({ id }: { readonly id: string }): string => id;
const timeOf = (at: Date | null): number => at?.getTime() ?? 0;

/** Those heard last come first. */
const byLastSeen = (a: AgentView, b: AgentView) =>
  timeOf(b.lastSeenAt) - timeOf(a.lastSeenAt) || timeOf(b.createdAt) - timeOf(a.createdAt);

export const everyAgent = (trpc: Procedures) =>
  everyPage((cursor: string | null) => trpc.agents.list.queryOptions(after(cursor)), {
    cursorOf: idOf,
    compare: byLastSeen,
  });

export const everyPolicy = (trpc: Procedures) =>
  everyPage((cursor: string | null) => trpc.policies.list.queryOptions(after(cursor)), {
    cursorOf: ({ name }: PolicyView) => name,
  });

export const everyRevision = (trpc: Procedures, policyId: string) =>
  everyPage((cursor: number | null) => trpc.policies.revisions.queryOptions({ policyId, ...(cursor && { cursor }) }), {
    cursorOf: ({ number }: RevisionView) => number,
    rowsMax: REVISIONS_PAGE_ROWS,
  });

export const everyMember = (trpc: Procedures) =>
  everyPage((cursor: string | null) => trpc.people.list.queryOptions(after(cursor)), {
    cursorOf: ({ personId }: MemberView) => personId,
    compare: (a: MemberView, b: MemberView) => timeOf(a.joinedAt) - timeOf(b.joinedAt),
  });

export const everyInvitation = (trpc: Procedures) =>
  everyPage((cursor: string | null) => trpc.people.invitations.queryOptions(after(cursor)), {
    cursorOf: (row: InvitationView) => row.id,
  });

export const everyService = (trpc: Procedures) =>
  everyPage((cursor: string | null) => trpc.serviceAccounts.list.queryOptions(after(cursor)), {
    cursorOf: (row: ServiceView) => row.id,
  });
