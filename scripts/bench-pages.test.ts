/** The benches ask what pages ask: a query that a page gains is timed, or stands here with the reason why it is not. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DRAWERS } from "../bench/fixtures/console-drawers.ts";
import { PAGES } from "../bench/fixtures/console-pages.ts";
import { ROOT } from "./project.mjs";

/** Nothing that grows with what is recorded, or asked for by a dialog while somebody writes. */
const NOT_TIMED: readonly string[] = [
  ...["access.openInvitation", "access.whoami", "budgets.binding", "prices.list"],
  ...["policies.exportAgent", "policies.exportBundle", "policies.exportNative", "policies.tightenedBy", "reviews.get"],
  ...["prompts.compare", "prompts.labelled", "prompts.labels", "prompts.recorded", "prompts.revision", "prompts.trial"],
  ...[
    "agents.names",
    "alerts.preview",
    "approvals.precedent",
    "approvals.rules",
    "drills.ofAgent",
    "halts.preview",
    "inventory.allowList",
    "notices.forBrowser",
    "policies.canaryAgents",
    "policies.hold",
    "requestLog.ofAgent",
    "requestLog.ofService",
  ],
  ...["exceptions.effect", "exceptions.offer", "exceptions.touching"],
  ...["backtest.flips", "backtest.get", "backtest.groups", "backtest.list", "prompts.checks"],
  ...["backtest.live", "backtest.newVerdicts", "backtest.sampled", "callReadings.ofRequest", "followUps.people"],
  ...["policies.judgeScores"],
  "documents.index",
  // A comparison that a person starts, and the refused events of one stream.
  ...["streams.check", "streams.setAside"],
  // Short lists, and one row by its key.
  ...["deviceLogin.find", "principals.choices", "principals.owner", "principals.person", "ruleOwners.get"],
  "policies.audienceChoices",
];

const OPTIONS = /trpc\s*\.(\w+)\s*\.(\w+)\s*\.(?:infiniteQueryOptions|queryOptions)/g;

function asked(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .flatMap((file) => [...readFileSync(join(ROOT, folder, file), "utf8").matchAll(OPTIONS)])
    .map(([, router, procedure]) => `${router}.${procedure}`);
}

test("every query of the pages and drawers is timed by the benches", () => {
  const range = { from: new Date(0), to: new Date(1) };
  const key = { occurredAt: new Date(0), id: "" };
  const subjects = {
    ...{ decision: key, call: key, attempt: key, firstEvent: key, judgeCall: { ...key, place: 0 } },
    ...{ rule: { policy: "", event: "", hook: "" }, session: { agentId: "", sessionId: "" }, seq: 1 },
    ...{ budgetId: "", promptId: "", policyId: "", agentId: "", webhookId: "" },
  };
  const timed = new Set<string>([
    ...Object.values(PAGES).flatMap((page) => page(range).map(([path]) => path)),
    ...Object.values(DRAWERS).flatMap((drawer) => drawer(range, subjects).map(([path]) => path)),
  ]);
  const all = new Set([...asked("app"), ...asked("components")]);
  expect(all.size).toBeGreaterThan(80);
  expect([...all].filter((path) => !timed.has(path) && !NOT_TIMED.includes(path)).sort()).toEqual([]);
  expect([...timed].filter((path) => !all.has(path)).sort()).toEqual([]);
});
