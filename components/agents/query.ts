/**
 * The URL as the input of `agents.search`. Pure, so that the server prefetches under the very key that the browser
 * looks for.
 */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { type Filter, type FilterTerm, printTerm, valuesOf } from "@/components/ui/filter/filter-text";
import { parseSort } from "@/components/ui/table/sort-text";
import type { Sort } from "@/components/ui/table/types";
import { personFilter } from "@/server/access/principal-schema";
import { AGENT_SORTS, AGENT_STATUSES, POSTURES, type SearchAgents, seenText } from "@/server/agents/schema";
import { CLIENT_NAMES } from "@/server/dialects/schema";

/** The keys of the filter bar, as typed before the colon. */
export const filterKeys = ["policy", "seen", "group", "tag", "person", "name", "status", "client", "posture"] as const;

export type AgentsInput = Omit<SearchAgents, "cursor" | "direction">;

const isSeenText = (text: string): boolean => seenText.safeParse(text).success;
const isPerson = (text: string): boolean => personFilter.safeParse([text]).success;
const isStatus = (text: string): boolean => AGENT_STATUSES.some((status) => status === text);
const isPosture = (text: string): boolean => POSTURES.some((posture) => posture === text);
const isClient = (text: string): boolean => CLIENT_NAMES.some((name) => name === text);

/** The unknown filter terms. They do not narrow the list, and the page says so. */
export const unknownTerms = ({ terms }: Filter): readonly FilterTerm[] =>
  terms.filter(
    ({ key, value }) =>
      (key === "seen" && !isSeenText(value)) ||
      (key === "status" && !isStatus(value)) ||
      (key === "client" && !isClient(value)) ||
      (key === "person" && !isPerson(value)) ||
      (key === "posture" && !isPosture(value)),
  );

export function agentsInput(filter: Filter, { id, desc }: Sort): AgentsInput {
  const of = (key: (typeof filterKeys)[number]) =>
    valuesOf(filter, key)
      .slice(0, 20)
      .map((value) => truncateText(value, 200, ""));
  const statuses = of("status");
  const clients = of("client");
  const postures = of("posture");
  return {
    policies: of("policy"),
    seen: of("seen").filter(isSeenText).slice(0, 5),
    groups: of("group"),
    tags: of("tag"),
    persons: of("person").filter(isPerson),
    names: of("name"),
    statuses: AGENT_STATUSES.filter((status) => statuses.includes(status)),
    clients: CLIENT_NAMES.filter((name) => clients.includes(name)),
    postures: POSTURES.filter((posture) => postures.includes(posture)),
    text: truncateText(filter.text.trim(), 200, ""),
    sort: AGENT_SORTS.find((sort) => sort === id) ?? "seen",
    isDescending: desc,
    limit: 50,
  };
}

/** The filter of other lists for records under one of these names. */
export const agentFilter = (names: readonly string[]): string =>
  names.map((name) => printTerm({ key: "agent", value: name })).join(" ");

/** The sort in `?sort=`; without one, the agents that called last come first. */
export const sortOf = (text: string | null): Sort => parseSort(text, AGENT_SORTS, { id: "seen", desc: true });
