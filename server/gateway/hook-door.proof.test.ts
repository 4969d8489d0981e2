/**
 * Every procedure, asked by those who may not publish commands, with a policy and a test case in place: none of them starts
 * a process. A hook that ran would open a connection to this test; that it can is shown with those who may. A procedure that
 * is not classified fails the test: whoever adds one says whether it runs hooks.
 */

import { readdir, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { sampleInput } from "../../e2e/fixtures/sample-input.ts";
import type { Administrator } from "../access/actor.ts";
import { may, type Permission } from "../access/permissions.ts";
import { ROLES, type Role } from "../access/role-schema.ts";
import { appRouter } from "../composition/router.ts";
import { SERVICE_ROLES } from "../people/schema.ts";
import { uuidv7 } from "../platform/ids.ts";
import { inWorkspace } from "../platform/scope.ts";
import type { Context } from "../trpc/context.ts";
import { createCallerFactory } from "../trpc/init.ts";

/** The procedures that run the hooks of a text that a person sends or names. */
const RUNS_HOOKS = [
  "playground.run",
  "playground.runCases",
  "playground.runCasesByName",
  "backtest.measure",
  "policies.publish",
  "policies.publishByName",
];
/** Where hooks are near, and none is run for the person who asks: what is in force runs when agents ask, and only then. */
const RUNS_NOTHING = [
  ...["agent.dispatch", "agent.policy", "agent.report", "callReadings.ofRequest"],
  ...["playground.cases", "playground.deleteCase", "playground.duplicateCase", "playground.exportCases"],
  ...["playground.importCases", "playground.recorded", "playground.recordedInput", "playground.saveCase"],
  ...["shadowMode.list", "shadowMode.sums", "shadowMode.ofDispatch", "shadowMode.ruleSums"],
  ...["backtest.startIfMissing", "backtest.newVerdicts", "backtest.review"],
  ...["policies.monitorRule", "policies.requirements", "policies.setRequirements", "policies.judgeScores"],
  ...[
    "policies.freezeWindows",
    "policies.addFreezeWindow",
    "policies.removeFreezeWindow",
    "policies.liftFreezeWindows",
  ],
  // Of a pack that comes with the product: nobody but its authors wrote those hooks.
  // Their job runs rules and builtins that read the input alone: no command, no request, no judge.
  ...[
    "backtest.start",
    "backtest.startText",
    "backtest.cancel",
    "backtest.startLive",
    "backtest.stopLive",
    "backtest.live",
    "backtest.list",
    "backtest.get",
    "backtest.groups",
    "backtest.flips",
  ],
  // On request a sample runs commands in the sandbox, and none with access to the network.
  ...["backtest.forecast", "backtest.sampled", "backtest.judgeSpend"],
  ...["backtest.pack", "packs.install", "packs.list", "packs.update"],
  ...["policies.applying", "policies.assign", "policies.audienceChoices", "policies.boundClients", "policies.hold"],
  ...["policies.canaryAgents", "policies.canaryFigures"],
  ...["policies.check", "policies.checkContext", "policies.create"],
  ...["policies.discardDraft", "policies.endCanary", "policies.exportAgent", "policies.exportBundle"],
  ...[
    "policies.exportByName",
    "policies.exportNative",
    "policies.freeze",
    "policies.frozen",
    "policies.get",
    "policies.list",
  ],
  ...["policies.observe", "policies.order", "policies.readClientImport", "policies.readImport"],
  ...["policies.remove", "policies.reorder"],
  ...["policies.revision", "policies.revisions", "policies.rollBack", "policies.saveDraft", "policies.setCanary"],
  ...["policies.tightenedBy", "policies.unfreeze"],
  ...["reviews.applyChange", "reviews.changeInEmergency", "reviews.changes", "reviews.decideChange"],
  ...["reviews.requestChange", "reviews.withdrawChange"],
  ...["reviews.comment", "reviews.decide", "reviews.get", "reviews.list", "reviews.ofPolicy"],
  ...["reviews.request", "reviews.setFourEyes", "reviews.waiting", "reviews.withdraw"],
  ...["inventory.allowList", "inventory.list", "inventory.unchecked"],
];
/** Rooms that hold no text of hooks at all; `prompts` asks models, and hands their executor nothing that starts a process. */
const ROOMS_WITHOUT_HOOKS = [
  ...[
    "access",
    "agents",
    "alerts",
    "audit",
    "budgets",
    "calendar",
    "circuitBreakers",
    "compactions",
    "costs",
    "decisions",
    "demo",
    "drills",
    "approvals",
    "exceptions",
    "halts",
    "documents",
    "followUps",
    "knownCalls",
    "homeCards",
    "requestLog",
    "setup",
    "notices",
  ],
  ...[
    "attention",
    "doctor",
    "search",
    "installation",
    "judges",
    "ledger",
    "events",
    "overview",
    "people",
    "prices",
    "projections",
    "prompts",
    "rules",
    "uptime",
  ],
  ...["coverage", "serviceAccounts", "sessions", "statements", "stats", "views", "webhooks"],
  ...["deviceLogin", "extensions", "maskingSettings", "principals", "ruleOwners", "streams"],
];

let db: TestDatabase;
let server: TestGateway;
let listener: Server;
let connections = 0;
let heard: () => void = () => undefined;
let hostile = "";

beforeAll(async () => {
  db = await testDatabase();
  // A hook that runs says so on this machine's loopback.
  server = await testGateway(db.url, { hookNetwork: "host" });
  listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
    heard();
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const command = `bash -c ': > /dev/tcp/127.0.0.1/${port}'`;
  hostile = `hooks:\n  session_start:\n    - type: command\n      network: true\n      command: ${JSON.stringify(command)}\n`;
});
afterAll(async () => {
  await new Promise((resolve) => listener.close(resolve));
  await server?.stop();
  await db?.drop();
});

interface Walked {
  readonly path: string;
  readonly permission: Permission | "anyone" | undefined;
  readonly schema: z.ZodType | undefined;
  readonly isQuery: boolean;
}
const procedures: readonly Walked[] = Object.entries(appRouter._def.procedures).map(([path, one]) => {
  const { meta, inputs, type } = (
    one as unknown as { _def: { meta?: { permission?: Walked["permission"] }; inputs: z.ZodType[]; type: string } }
  )._def; // tRPC keeps them there at run time
  return { path, permission: meta?.permission, schema: inputs[0], isQuery: type === "query" };
});

/** A query, and what the door refuses (access-matrix.test.ts), leave everything as it was. */
const changesNothing = (actor: Administrator, { permission = "anyone", isQuery }: Walked) =>
  isQuery || (permission !== "anyone" && !may(actor, permission));

const actorOf = (kind: "person" | "service", role: Role): Administrator => ({
  ...{ kind, role, workspaceId: server.admin.workspaceId, id: uuidv7(), name: role },
});
const callers = () => [
  ...ROLES.map((role) => actorOf("person", role)),
  ...SERVICE_ROLES.map((role) => actorOf("service", role)),
];

function call(actor: Administrator, path: string, input: unknown): Promise<unknown> {
  const { app } = server.running;
  const context: Context = {
    db: app.db,
    actor,
    app,
    session: null,
    confirmedAt: new Date(),
    setHeader: () => undefined,
  };
  const caller = createCallerFactory(appRouter)(context) as unknown as Record<
    string,
    Record<string, (input: unknown) => Promise<unknown>>
  >; // any procedure by its path
  const [room = "", name = ""] = path.split(".");
  const leaf = caller[room]?.[name];
  if (!leaf) throw new Error(`there is no procedure ${path}`);
  return leaf(input);
}

interface Furnished {
  readonly policyId: string;
  readonly name: string;
  readonly draftVersion: number;
  readonly caseId: string;
  readonly agentId: string;
}

/** A policy with a harmless revision in force, a hostile draft, and a case that would run it. */
async function furnished(): Promise<Furnished> {
  const name = uuidv7();
  const owner = actorOf("person", "owner");
  const make = async (path: string, input: object) => (await call(owner, path, input)) as Record<string, never>; // views of ids
  const { policyId = "" } = await make("policies.publishByName", { name, source: "hooks: {}\n", note: "" });
  const saved = { policyId, source: hostile, baseVersion: 0, baseRevision: 1 };
  const { version = 0 } = await make("policies.saveDraft", saved);
  const expect = { verdict: "none" };
  const one = { policyId, name: "a case", event: "session_start", input: "{}", expect };
  const { caseId = "" } = await make("playground.saveCase", one);
  const { agentId = "" } = await make("agents.create", { name });
  return { policyId, name, draftVersion: version, caseId, agentId };
}

function inputOf({ path, schema }: Walked, at: Furnished): unknown {
  if (!schema) return undefined;
  const named: Readonly<Record<string, unknown>> = {
    ...at,
    policyIds: [at.policyId],
    subject: { kind: "text", source: hostile },
    source: hostile,
    event: "session_start",
    // A change's own input is as its schema has it.
    input: path === "agent.dispatch" ? {} : path.startsWith("reviews.") ? undefined : "{}",
    baseRevision: 1,
    number: 1,
    revision: 1,
    on: "draft",
    of: { kind: "draft", version: at.draftVersion },
    override: { typed: at.name, reason: "a reason" },
    expect: { verdict: "none" },
    targetId: null,
    scope: "workspace",
    file: "cases: []\n",
    baseUrl: "http://127.0.0.1:9/v1",
    issuer: "https://login.invalid",
    host: "127.0.0.1",
    port: 1,
  };
  try {
    return sampleInput(schema, (name) => (Object.hasOwn(named, name) ? named[name] : undefined));
  } catch {
    // Another meaning of one of these names: the schema's own least input, or what does not fit it.
    return { ...at, source: hostile };
  }
}

/** The outcome; a stream that ends by itself is read to its end. */
async function asked(actor: Administrator, one: Walked, at: Furnished): Promise<string> {
  try {
    const answer = await call(actor, one.path, inputOf(one, at));
    if (
      typeof answer === "object" &&
      answer !== null &&
      Symbol.asyncIterator in answer &&
      RUNS_HOOKS.includes(one.path)
    )
      for await (const _ of answer as AsyncIterable<unknown>);
    return "done";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe("the door to running hooks", () => {
  it("knows of every procedure whether it runs hooks", () => {
    const known = new Set([...RUNS_HOOKS, ...RUNS_NOTHING]);
    const isKnown = (path: string) => known.has(path) || ROOMS_WITHOUT_HOOKS.includes(path.split(".")[0] ?? "");
    expect(procedures.map(({ path }) => path).filter((path) => !isKnown(path))).toEqual([]);
    const paths = new Set(procedures.map(({ path }) => path));
    expect([...known].filter((path) => !paths.has(path))).toEqual([]);
  });

  it("starts no process for anybody who may not publish commands, whatever they ask", async () => {
    let at = await furnished();
    connections = 0;
    const ran: string[] = [];
    let isAsItWas = false;
    for (const actor of callers().filter((one) => !may(one, "policy:publish-commands")))
      for (const one of procedures) {
        if (!isAsItWas) {
          const found = await db.database.prisma.policy.findFirst({
            where: { id: at.policyId, latestRevision: 1, cases: { some: { id: at.caseId } }, draft: { isNot: null } },
          });
          if (!found) at = await furnished();
        }
        isAsItWas = changesNothing(actor, one);
        const before = connections;
        await asked(actor, one, at);
        if (connections > before) ran.push(`${actor.name}: ${one.path}`);
      }
    expect(ran).toEqual([]);
    // Those who may show that the hook does run; its connection comes after any that was still under way.
    const owner = actorOf("person", "owner");
    for (const path of RUNS_HOOKS.filter((path) => path !== "backtest.measure")) {
      const fresh = await furnished();
      const walked = procedures.find((one) => one.path === path);
      const came = new Promise<void>((resolve) => {
        heard = resolve;
      });
      const before = connections;
      expect(`${path}: ${walked && (await asked(owner, walked, fresh))}`).toBe(`${path}: done`);
      await came;
      expect(connections).toBeGreaterThan(before);
    }
  }, 600_000);

  it("refuses an author who publishes commands past a test case, also on a stale revision, and runs nothing", async () => {
    const at = await furnished();
    const author = await signedIn(server.url, db.database, server.admin.workspaceId, "author");
    const before = connections;
    const { policyId, name, draftVersion } = at;
    const text = { source: hostile, note: "" };
    const publish = (baseRevision: number) =>
      author.mutate("policies.publish", { ...text, policyId, draftVersion, baseRevision });
    const answers = [
      await author.mutate("policies.publishByName", { ...text, name }),
      await publish(1),
      await publish(0),
      await publish(7),
      await author.mutate("playground.run", {
        subject: { kind: "text", source: hostile },
        event: "session_start",
        input: "{}",
      }),
      await author.mutate("playground.runCases", { policyId, subject: { kind: "text", source: hostile } }),
    ];
    expect(answers.map(({ status, value }) => [status, value])).toEqual(answers.map(() => [403, "forbidden"]));
    // Whatever was under way would have been heard before this one is.
    const owner = actorOf("person", "owner");
    await call(owner, "policies.publishByName", { ...text, name });
    expect(connections).toBe(before + 1);
  });

  it("is the only place that executors take hooks from", async () => {
    /** Each with the reason why it needs no permission of a person. */
    const EXECUTES: Readonly<Record<string, string>> = {
      "playground/run.ts": "takes PermittedHooks",
      "policies/effective/executor-for.ts":
        "for what is in force (plans.ts) and, through playground-executor.ts, PermittedHooks",
      "prompts/ask-recorded.ts": "hands the executor one model hook and nothing that starts a process",
      "backtest/replay-hooks.ts": "rules and builtins that read the input alone, which start no process",
      "local-executor/dispatch.ts": "beside an agent, on its own machine, what is in force",
      "local-executor/rules-hook.ts": "beside an agent, rules alone, which start no process",
    };
    const USES: Readonly<Record<string, string>> = {
      "policies/effective/plans.ts": "what is in force",
      "policies/effective/playground-executor.ts": "takes PermittedHooks",
    };
    const root = join(import.meta.dirname, "..");
    const files = (await readdir(root, { recursive: true })).filter(
      (file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("hooks/"),
    );
    const naming = async (word: RegExp) => {
      const texts = await Promise.all(
        files.map(async (file) => [file, await readFile(join(root, file), "utf8")] as const),
      );
      return texts.flatMap(([file, text]) => (word.test(text) ? [file] : [])).sort();
    };
    expect(await naming(/\bcreateExecutor\(/)).toEqual(Object.keys(EXECUTES).sort());
    expect(await naming(/\bexecutorFor\(\w+, /)).toEqual(Object.keys(USES).sort());
    expect(await naming(/\brequirePermitted\(\w/)).toEqual([
      "playground/run.ts",
      "policies/effective/playground-executor.ts",
      "policies/publishing/permitted-hooks.ts",
    ]);
  });

  it("does not take hooks that only claim to be permitted", async () => {
    const claimed = { workspaceId: server.admin.workspaceId, sources: [], profile: "2026-07", isLeftOut: () => false };
    const executorOf = server.running.app.trials.executorOf as (hooks: unknown) => unknown; // past the type on purpose
    await inWorkspace(server.admin.workspaceId, async () => expect(() => executorOf(claimed)).toThrow());
  });
});
