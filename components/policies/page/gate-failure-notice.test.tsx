import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { ToleratedFailuresView } from "@/server/decisions/rules/tolerated-failures-schema";
import { allowingGateMessage } from "@/server/hooks/contract/lint/allowing-gate";
import { GateFailureNotice } from "./gate-failure-notice.tsx";

const finding = (name: string) => ({
  rule: "gate-allows-on-failure",
  message: allowingGateMessage(name, "pre_tool_use"),
});
const drawn = (
  names: readonly string[],
  onMove: (() => void) | null = () => undefined,
  failures?: ToleratedFailuresView,
) => renderToStaticMarkup(<GateFailureNotice findings={names.map(finding)} failures={failures} onMove={onMove} />);

const failuresOf = (count: number, countedSince: Date | null = null): ToleratedFailuresView => ({
  ...{ days: 30, countedSince },
  gates: [{ gate: '"no mkfs" on pre_tool_use', count }],
});

it("names each gate with its event, what a failure is, and the way out", () => {
  const html = drawn(["no mkfs", "no <b>"]);
  expect(html).toContain("&quot;no mkfs&quot; on pre_tool_use</li>");
  expect(html).toContain("no &lt;b&gt;");
  expect(html).toContain("2 gates of this draft allow the call when the hook fails");
  expect(html).toContain("Move the draft to profile 2026-11…</button>");
});

it("counts the gates beyond the first five, and offers no change to a reader", () => {
  const html = drawn(["1", "2", "3", "4", "5", "6", "7"], null);
  expect(html).toContain("and 2 more");
  expect(html).not.toContain("<button");
});

it("says how often a gate in force failed and allowed, and zero of all days only where they are on record", () => {
  const said = (failures: ToleratedFailuresView) => drawn(["no mkfs", "a new one"], null, failures);
  expect(said(failuresOf(3))).toContain("on pre_tool_use: failed and allowed 3 calls in 30 days</li>");
  expect(said(failuresOf(0))).toContain("on pre_tool_use: failed and allowed 0 calls in 30 days</li>");
  const young = said(failuresOf(0, new Date("2026-11-20T10:00:00Z")));
  expect(young).toMatch(/failed and allowed 0 calls since [^<]*2026[^<]*; earlier failures are not on record/);
  expect(young).not.toContain("30 days");
  expect(young).toContain("&quot;a new one&quot; on pre_tool_use</li>");
});

it("names the gates in force where the draft is in the newer profile already", () => {
  const html = drawn([], () => undefined, failuresOf(2));
  expect(html).toContain("1 gate of the revision in force allows the call");
  expect(html).toContain("The draft already uses profile 2026-11. Publish the draft.");
  expect(html).toContain("Review the move…</button>");
});

it("says nothing of other findings", () => {
  const other = { rule: "profile-difference", message: "" };
  const html = renderToStaticMarkup(<GateFailureNotice findings={[other]} failures={undefined} onMove={null} />);
  expect(html).toBe("");
});
