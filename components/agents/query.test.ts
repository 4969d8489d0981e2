import { expect, it } from "vitest";
import { agentsInput, filterKeys, sortOf, unknownTerms } from "@/components/agents/query";
import { parseFilter } from "@/components/ui/filter/filter-text";
import { printSort } from "@/components/ui/table/sort-text";

const inputOf = (text: string) => agentsInput(parseFilter(text, filterKeys), sortOf(null));

it("chips are fields of the search, free words are parts of names", () => {
  expect(
    inputOf(
      'policy:none seen:>1h seen:never group:"team a" tag:prod name:ci status:silent client:codex posture:outdated wor ker',
    ),
  ).toEqual({
    policies: ["none"],
    seen: [">1h", "never"],
    groups: ["team a"],
    tags: ["prod"],
    names: ["ci"],
    statuses: ["silent"],
    clients: ["codex"],
    postures: ["outdated"],
    text: "wor ker",
    sort: "seen",
    isDescending: true,
    limit: 50,
    persons: [],
  });
});

it("a chip that names nothing is left out of the search and known as such", () => {
  const filter = parseFilter("seen:yesterday status:asleep client:vim posture:lost seen:<30m", filterKeys);
  expect(agentsInput(filter, sortOf(null))).toMatchObject({ seen: ["<30m"], statuses: [], clients: [], postures: [] });
  expect(unknownTerms(filter).map(({ value }) => value)).toEqual(["yesterday", "asleep", "vim", "lost"]);
});

it("a sort stands in the URL as its column, with a minus for the most first", () => {
  for (const text of ["-calls", "name", "-spend"]) expect(printSort(sortOf(text))).toBe(text);
  expect(sortOf("keys")).toEqual({ id: "seen", desc: true });
});
