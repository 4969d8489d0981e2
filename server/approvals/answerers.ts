/** The people who may answer open requests now, by the same rules as an answer. */
import { holdersOf } from "../access/permissions.ts";
import type { Select } from "../platform/select.ts";
import { listNamedHolders } from "./makers-repository.ts";
import { listOwnersOfAgents } from "./own-agents.ts";
import type { RequestRow } from "./requests-repository.ts";
import { reachedLists } from "./risk-class.ts";
import type { ApprovalView } from "./schema.ts";

/** The number of names in one view. */
const NAMES_MAX = 3;

type AnswererView = Pick<ApprovalView, "isForReader" | "answerers">;

/** For each request: true if the reader may answer it and has not, and the names of the other people who may. */
export async function answererViews(
  select: Select,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
  open: readonly RequestRow[],
): Promise<(request: RequestRow) => AnswererView> {
  if (open.length === 0) return () => NO_ANSWERERS;
  const [holders, owners] = await Promise.all([
    listNamedHolders(select, workspaceId, holdersOf("approval:decide")),
    listOwnersOfAgents(select, workspaceId, [...new Set(open.map(({ agentId }) => agentId))]),
  ]);
  return (request) => {
    if (request.state !== "pending") return NO_ANSWERERS;
    const { route, elapsedSeconds, answers, agentId } = request;
    const asked = route && reachedLists(route, elapsedSeconds).flatMap(({ people }) => people);
    const may = holders.filter(
      (one) =>
        !owners.get(agentId)?.includes(one.id) &&
        (asked === null || asked.includes(one.id)) &&
        !answers.some(({ personId }) => personId === one.id),
    );
    const others = may.filter((one) => one.id !== id).map(({ name }) => name);
    return {
      isForReader: others.length < may.length,
      answerers: { names: others.slice(0, NAMES_MAX), more: Math.max(others.length - NAMES_MAX, 0) },
    };
  };
}

const NO_ANSWERERS: AnswererView = { isForReader: false, answerers: { names: [], more: 0 } };
