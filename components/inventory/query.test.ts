import { expect, it } from "vitest";
import { filterKeys, sortOf, toolsInput, unknownTerms } from "@/components/inventory/query";
import { parseFilter } from "@/components/ui/filter/filter-text";
import { listTools } from "@/server/inventory/schema";

const filter = (text: string) => parseFilter(text, filterKeys);

it("a URL becomes an input that the server takes", () => {
  const input = toolsInput(filter("agent:builder client:codex kind:mcp wiki search"), sortOf("calls"));
  expect(input).toMatchObject({ agents: ["builder"], clients: ["codex"], kinds: ["mcp"], text: "wiki search" });
  expect(input).toMatchObject({ sort: "calls", isDescending: false });
  expect(listTools.parse(input)).toMatchObject(input);
});

it("a client or kind that does not exist filters nothing and is named", () => {
  const typed = filter("client:nobody kind:magic kind:shell");
  expect(toolsInput(typed, sortOf(null))).toMatchObject({ clients: [], kinds: ["shell"], sort: "last" });
  expect(unknownTerms(typed).map(({ value }) => value)).toEqual(["nobody", "magic"]);
});
