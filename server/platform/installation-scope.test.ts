/**
 * The places in which work leaves its workspace's scope. A page that is read there could hand out a row, an id or an instant of
 * another workspace, as the cursor of an export once did; a new place is added here with the reason why it cannot.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SERVER = fileURLToPath(new URL("..", import.meta.url));
const ENTERS = /\binInstallation\b/;
const REACHES = /\bcan\((?:"[a-z:-]+"), "installation"\)/g;

/** Loops of processes. They hand nothing to a caller. */
const JOBS = [
  "agents/authenticate.ts", // finds the workspace of a key
  "alerts/evaluate.ts",
  "alerts/letters.ts",
  "alerts/service.ts",
  "composition/app.ts",
  "approvals/lapsing.ts",
  "approvals/steps.ts",
  "backtest/runs.ts",
  "backtest/live-test/live-tests.ts",
  "compactions/join-job.ts",
  "decisions/live-calls/follower.ts", // reads changed records, each with its workspace; whole calls in their own scope
  "exceptions/lapses.ts",
  "notices/letters.ts",
  "notices/make-notices.ts",
  "record/checkpoints/checkpoints.ts",
  "record/erasure/erasure.ts",
  "record/raw-capture.ts",
  "record/retention/retention.ts",
  "record/verification/verification-worker.ts",
  "jobs-process.ts",
  "shadow-mode/service.ts",
  "costs/prices/estimate-job.ts",
  "prompts/known-calls/runner.ts",
  "projections/nightly.ts",
  "projectors/service.ts",
  "recording/delivered-names.ts", // each name with its workspace
  "recording/service.ts",
  "request-log/service.ts", // counts refused requests, each row with its workspace
  "runaway-rules/cleanup.ts",
  "processes/scans/calm.ts",
  "composition/serving.ts", // how far figures and streams are behind, for the metrics
  "sessions/gap-scanner.ts",
  "masking/masking-in-force.ts", // reads the setting of one workspace, and adds hits, each with its workspace
  "load-shedding/service.ts",
  "streams/stream-job.ts",
  "webhooks/budgets.ts",
  "webhooks/deliver.ts",
  "webhooks/denials.ts",
  "webhooks/gather-notices.ts",
  "webhooks/service.ts",
];
/** Procedures and routes that are answered there: about a person, the sign-in or the installation, and none of them in pages. */
const ANSWERED = [
  "agents/join.ts", // finds the workspace of an enrolment token
  "gateway/account-api.ts",
  "gateway/console/download-api.ts", // finds the person of a session
  "gateway/trpc.ts",
  "people/access-ends.ts",
  "people/first-run.ts",
  "people/installation/mail.ts",
  "policies/canary-watch/watch.ts",
  "composition/caller.ts",
  "trpc/init.ts",
  "doctor/uptime/service.ts", // stretches of time in which no process ran: nobody's rows
];

const sources = readdirSync(SERVER, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => ({ file, text: readFileSync(`${SERVER}${file}`, "utf8") }));

it("nothing else leaves the scope of its workspace", () => {
  const entering = sources.filter(({ file, text }) => file !== "platform/scope.ts" && ENTERS.test(text));
  expect(entering.map(({ file }) => file).toSorted()).toEqual([...JOBS, ...ANSWERED].toSorted());
});

it("no procedure that reaches the installation reads a page", () => {
  const reaching = sources.filter(({ text }) => REACHES.test(text));
  expect(reaching.map(({ file }) => file)).toEqual(["people/access/router.ts"]);
  const statements = reaching.flatMap(({ text }) => text.split(/\n(?= {2}\w+: |const )/));
  const own = statements.filter((one) => /^\s*\w+: (?:own\b|can\("[a-z:-]+", "installation"\))/.test(one));
  expect(own.length).toBeGreaterThan(4);
  for (const one of own) expect(one).not.toMatch(/cursor|pageBy|\bnext\b/);
});
