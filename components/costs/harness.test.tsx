import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { HarnessMark } from "@/components/costs/harness-mark";
import { HarnessSpend } from "@/components/costs/harness-spend";
import { TooltipProvider } from "@/components/ui/tooltip";

const rendered = (node: ReactNode) => renderToStaticMarkup(<TooltipProvider>{node}</TooltipProvider>);
const tokens = { input: 0n, cachedInput: 0n, cachedWrite: 0n, output: 0n, reasoning: 0n };
const spend = (calls: number, unpriced: number, nano: bigint) =>
  rendered(
    <HarnessSpend
      ledger={{ calls, priced: calls - unpriced, free: 0, unpriced, withoutUsage: 0, nano, tokens }}
      href="/spend?view=calls&q=by%3Aharness"
    />,
  );

it("the label of a harness is marked, and no provider's model", () => {
  expect(rendered(<HarnessMark modelId="claude-code" />)).toContain("harness");
  expect(rendered(<HarnessMark modelId="acme/large" />)).toBe("");
  expect(rendered(<HarnessMark modelId="" />)).toBe("");
});

it("harness calls have a line of their own, with those that carry no cost", () => {
  expect(spend(0, 0, 0n)).toBe("");
  const html = spend(3, 1, 750_000_000n);
  expect(html).toContain("$0.75");
  expect(html).toContain("3 calls · 1 unpriced");
  expect(html).toContain("included in spend");
  expect(spend(2, 2, 0n)).not.toContain("$");
});
