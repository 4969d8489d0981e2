import { expect, test } from "vitest";
import { matching, rankOf } from "@/components/layout/palette/match";

test("a name that begins with the text is before one that holds it, and both before a keyword", () => {
  const items = [
    { label: "Agents", keywords: ["a new key"] },
    { label: "Renew a key" },
    { label: "New policy" },
    { label: "Start anew" },
  ];
  const labels = matching("new", items, (item) => item).map(({ label }) => label);
  expect(labels).toEqual(["New policy", "Renew a key", "Start anew", "Agents"]);
});

test("letters strewn over a text are no match", () => {
  expect(rankOf("invite", "Sessions", ["one conversation, event by event"])).toBe(0);
  expect(rankOf("invite", "Invite a person")).toBeGreaterThan(0);
  expect(rankOf("person inv", "Invite a person")).toBeGreaterThan(0);
  expect(rankOf("…", "Invite a person")).toBe(0);
});
