import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { allowingGateMessage } from "@/server/hooks/contract/lint/allowing-gate";
import { GateFailureNotice } from "./gate-failure-notice.tsx";

const finding = (name: string) => ({
  rule: "gate-allows-on-failure",
  message: allowingGateMessage(name, "pre_tool_use"),
});
const drawn = (names: readonly string[], onNewestProfile: (() => void) | null = () => undefined) =>
  renderToStaticMarkup(<GateFailureNotice findings={names.map(finding)} onNewestProfile={onNewestProfile} />);

it("names each gate with its event, what a failure is, and the way out", () => {
  const html = drawn(["no mkfs", "no <b>"]);
  expect(html).toContain("&quot;no mkfs&quot; on pre_tool_use</li>");
  expect(html).toContain("no &lt;b&gt;");
  expect(html).toContain("2 gates of this text allow the call when the hook fails");
  expect(html).toContain("Write profile 2026-08</button>");
});

it("counts the gates beyond the first five, and offers no change to a reader", () => {
  const html = drawn(["1", "2", "3", "4", "5", "6", "7"], null);
  expect(html).toContain("and 2 more");
  expect(html).not.toContain("<button");
});

it("says nothing of other findings", () => {
  const other = { rule: "profile-difference", message: "" };
  expect(renderToStaticMarkup(<GateFailureNotice findings={[other]} onNewestProfile={null} />)).toBe("");
});
