import { expect, it } from "vitest";
import { firstName, firstReserveWords, formOf, guardPolicy, readForm, reserveOf } from "@/components/budgets/form";
import { bindingWords, unpricedWords } from "@/components/budgets/labels";
import { policyName } from "@/server/policies/schema";

it("starts with the dearest call, rounded up to a cent, or with an example that is named as one", () => {
  expect(reserveOf(123_400_001n)).toBe("0.13");
  expect(reserveOf(120_000_000n)).toBe("0.12");
  expect(reserveOf(1n)).toBe("0.01");
  expect(firstReserveWords(1n)).toContain("most expensive call");
  for (const none of [null, 0n]) {
    expect(reserveOf(none)).toBe("0.20");
    expect(firstReserveWords(none)).toBe("No model call has a price yet, so 0.20 is only an example.");
  }
});

it("takes a maximum cost of one call only where a rule needs it", () => {
  const form = { ...formOf(null), amount: "20", isHard: false, unpriced: "pass" } as const;
  expect(readForm(form)).toMatchObject({ input: { budget: { reserveNano: null }, addsGuard: false } });
  expect(readForm({ ...form, isHard: true })).toEqual({ wrongs: { reserve: "Enter the maximum cost of one call." } });
  expect(readForm({ ...form, isHard: true, reserve: "0.13" })).toMatchObject({
    input: { budget: { reserveNano: 130_000_000n }, addsGuard: true },
  });
});

it("is a complete daily limit that blocks, apart from its amount", () => {
  expect(readForm({ ...formOf(null), reserve: "0.20" })).toEqual({
    wrongs: { amount: "Enter an amount in dollars, such as 250 or 12.50." },
  });
  expect(readForm({ ...formOf(null), reserve: "0.20", amount: "20" })).toMatchObject({
    input: { budget: { name: "Workspace, each day", period: "day", isHard: true, unpriced: "count" } },
  });
});

it("names a budget after its target and its period, within the length of a name", () => {
  expect(firstName("group", "demo-frontend", "day")).toBe("demo-frontend, each day");
  expect(firstName("agent", "ci", "total")).toBe("ci");
  expect(firstName("session", "", "total")).toBe("Each session");
  expect(firstName("model", "m".repeat(200), "month")).toHaveLength(64);
});

it("makes a guard for exactly the agents of the budget, with a name that a policy may have", () => {
  const groupId = "01980000-0000-7000-8000-000000000001";
  expect(guardPolicy({ scope: "group", groupId }, "web/front: end").targets).toEqual({
    scope: "chosen",
    groupIds: [groupId],
  });
  const [personId, signOnGroupId] = [groupId, groupId];
  expect(guardPolicy({ scope: "person", personId }, "").targets).toEqual({ scope: "chosen", personIds: [personId] });
  expect(guardPolicy({ scope: "sign_on_group", signOnGroupId }, "ops").targets).toEqual({
    scope: "chosen",
    signOnGroupIds: [signOnGroupId],
  });
  expect(guardPolicy({ scope: "model", model: "a/b" }, "").targets).toEqual({ scope: "workspace" });
  for (const name of ["", "web/front: end", "m".repeat(200), "::"]) {
    const { from } = guardPolicy({ scope: "group", groupId }, name);
    expect("name" in from && policyName.safeParse(from.name).success).toBe(true);
  }
});

it("says before saving which agents a budget only counts, and what an unpriced call adds", () => {
  const [none, one] = [
    { count: 0, names: [] },
    { count: 1, names: ["mia"] },
  ];
  expect(bindingWords({ bound: none, unbound: none, unasked: one })).toBe(
    "The budget blocks no agent. The budget counts but does not block mia, whose client asks nothing before a model call.",
  );
  expect(bindingWords({ bound: { count: 1, names: ["ci"] }, unbound: none, unasked: one })).toBe(
    "The budget blocks ci. The budget counts but does not block mia, whose client asks nothing before a model call.",
  );
  expect(bindingWords({ bound: none, unbound: one, unasked: none })).toBe(
    "The budget blocks no agent: mia has no budget_guard.",
  );
  expect(unpricedWords("count", 130_000_000n)).toContain("each unpriced call counts as $0.13");
});
