import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";
import { InForceMark } from "./in-force-mark.tsx";

type Policy = Parameters<typeof InForceMark>[0]["policy"];
const drawn = (policy: Partial<Policy>) => {
  const usual = { liveRevision: 2, latestRevision: 2, scope: "chosen", bound: 1, ...NOTHING } as const;
  return renderToStaticMarkup(
    <TooltipProvider>
      <InForceMark policy={{ ...usual, ...policy }} />
    </TooltipProvider>,
  );
};
const NOTHING = { canary: null, observed: null, monitored: [], unheld: null };
const UNHELD = { agents: 2, says: "2 of 2 bound agents cannot be stopped by it: a names its shell tool Bash." };
const CANARY = { revision: 3, share: 100, group: null, since: new Date(0), by: "Ada", inside: 2, limits: null };

it("is green only where an agent is under the policy and each is held", () => {
  expect(drawn({})).toMatch(/data-tone="allow".*revision 2 in force/);
  expect(drawn({ unheld: UNHELD })).not.toContain('data-tone="allow"');
  const empty = drawn({ bound: 0 });
  expect(empty).toMatch(/data-tone="canceled".*revision 2, no agents/);
  expect(empty).not.toContain('data-tone="allow"');
});

it("is that of the whole workspace also before its first agent", () => {
  expect(drawn({ scope: "workspace", bound: 0 })).toContain("revision 2 in force");
});

it("names agents that a canary cannot stop where nothing else is in force", () => {
  const html = drawn({ liveRevision: 0, canary: CANARY, unheld: UNHELD });
  expect(html).toContain("revision 3 in canary, 2 agents not held");
});

it("names rules that are only monitored", () => {
  const rule = { event: "pre_tool_use", hook: "gate", since: new Date(0), until: new Date(1), by: "Ada" };
  expect(drawn({ monitored: [rule] })).toMatch(/revision 2 in force.*data-tone="observe".*1 rule monitored/);
});
