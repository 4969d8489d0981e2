/** The playground of a running server: runs texts that are not in force, and policies' test cases. */

import { contractOf, isEventName } from "@quarterdeck/hooks";
import type { Administrator } from "../access/actor.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { sha256 } from "../platform/secrets.ts";
import type { CaseGate, PermittedHooks } from "../policies/index.ts";
import { get, list, permitPlayground } from "../policies/index.ts";
import { runCases as runAll } from "./case-runner.ts";
import { caseOf } from "./cases.ts";
import { inputOf } from "./input.ts";
import { playgroundReportOf } from "./report.ts";
import * as rows from "./repository.ts";
import { runOnce } from "./run.ts";
import { createRunSlots } from "./run-slots.ts";
import {
  type CaseRunView,
  type PlaygroundReport,
  type PlaygroundRun,
  RUN_MS_MAX,
  type RunCases,
  type RunCasesByName,
} from "./schema.ts";
import { amongOthers, subjectOf, withoutOthers } from "./subject.ts";
import type { JudgeClients, PlaygroundWorld } from "./world.ts";

export interface PlaygroundOptions extends PlaygroundWorld {
  readonly db: Database;
  /** The client that asks a workspace's models, for money. */
  readonly clientsOf: (workspaceId: string) => JudgeClients;
  /** True if hook commands are kept from this machine. */
  readonly isContained: boolean;
}

export interface Playground {
  /**
   * Runs the hooks of a policy text on an input.
   *
   * Errors: `policy_invalid` with every problem; `invalid_input` with every field of a wrong type; `not_json`;
   * `unknown_event`; `busy`.
   */
  run(actor: Administrator, asked: PlaygroundRun, signal?: AbortSignal): Promise<PlaygroundReport>;
  /** Runs the cases of a policy on a text; the results are stored with the cases. */
  runCases(actor: Administrator, asked: RunCases, signal?: AbortSignal): Promise<CaseRunView>;
  runCasesByName(actor: Administrator, asked: RunCasesByName, signal?: AbortSignal): Promise<CaseRunView>;
  /** The case gate that publishing asks. */
  readonly gate: CaseGate;
}

export function createPlayground(options: PlaygroundOptions): Playground {
  const { db, isContained } = options;
  const turns = createRunSlots();

  async function runCases(actor: Administrator, { policyId, subject, caseIds }: RunCases, signal?: AbortSignal) {
    const taken = await subjectOf(db, actor.workspaceId, policyId, subject, actor.id);
    const hooks = permitPlayground(actor, withoutOthers(taken), isContained);
    return runStoredCases(options, { policyId, hooks, sha256: taken.sha256, only: caseIds, signal });
  }

  return {
    run: (actor, asked, signal) => turns.take(actor.id, () => run(options, actor, asked, signal)),
    runCases: (actor, asked, signal) => turns.take(actor.id, () => runCases(actor, asked, signal)),
    runCasesByName: (actor, { name, on }, signal) =>
      turns.take(actor.id, async () => {
        const policy = (await list(db, actor.workspaceId)).find((one) => one.name === name);
        if (!policy) throw new AppError("policy_not_found", name, { says: `There is no policy named "${name}".` });
        const subject =
          on === "draft"
            ? { kind: "text" as const, source: (await get(db, actor.workspaceId, policy.id)).source }
            : { kind: "live" as const };
        return runCases(actor, { policyId: policy.id, subject }, signal);
      }),
    gate: {
      async failing(policyId, text) {
        if ((await rows.countCases(db.prisma, text.workspaceId, policyId)) === 0) return [];
        const hash = sha256(text.source).toString("hex");
        const { cases } = await runStoredCases(options, { policyId, hooks: text, sha256: hash });
        return cases
          .filter(({ passed }) => !passed)
          .map(({ id, name, differs }) => ({ caseId: id, name, says: differs.join(" ") }));
      },
    },
  };
}

async function run(
  { db, clientsOf, isContained, ...world }: PlaygroundOptions,
  actor: Administrator,
  asked: PlaygroundRun,
  signal: AbortSignal | undefined,
): Promise<PlaygroundReport> {
  const { policyId, event, lane, besideAgentId } = asked;
  const { workspaceId } = actor;
  const subject = await subjectOf(db, workspaceId, policyId, asked.subject, actor.id);
  const input = inputOf(asked.input);
  const { sources, profile, notes } =
    besideAgentId === undefined
      ? withoutOthers(subject)
      : await amongOthers(db, workspaceId, policyId, subject, besideAgentId);
  const hooks = permitPlayground(actor, { sources, profile }, isContained);
  if (!isEventName(event, profile))
    throw new AppError("unknown_event", event, { says: `Profile ${profile} has no event ${event}.` });
  if (lane !== "default" && !contractOf(event, profile).hasPreemptLane)
    throw new AppError("invalid_input", lane, { says: `${event} has one lane only.`, pointer: "/lane" });
  const limit = new AbortController();
  const forget = world.clock.after(RUN_MS_MAX, () => limit.abort(new Error("the run takes too long")));
  try {
    const tried = await runOnce(world, {
      hooks,
      event,
      lane,
      input,
      judges: asked.askJudges ? { kind: "asked", clients: clientsOf(workspaceId) } : { kind: "unasked" },
      runsAgentHooks: asked.runAgentHooks,
      signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
    });
    const late = limit.signal.aborted ? [`The run was ended after ${RUN_MS_MAX / 1_000} seconds.`] : [];
    return playgroundReportOf(tried, { profile, event, lane, subject: subject.origin, notes: [...notes, ...late] });
  } finally {
    forget();
  }
}

/** A run of a policy's cases on one text. */
interface CaseRun {
  readonly policyId: string;
  readonly hooks: PermittedHooks;
  /** Of the text. */
  readonly sha256: string;
  /** Ids of cases; all of the policy's when absent. */
  readonly only?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Storing the last runs is optional: the result is returned even if that fails. */
async function runStoredCases(
  { db, ...world }: PlaygroundOptions,
  { policyId, hooks, sha256: hash, only, signal }: CaseRun,
) {
  const { workspaceId } = hooks;
  const stored = await rows.listCases(db.prisma, workspaceId, policyId);
  const chosen = only ? stored.filter(({ id }) => only.includes(id)) : stored;
  const beganMs = world.clock.now();
  const outcomes = await runAll(world, hooks, chosen.map(caseOf), signal);
  const cases = chosen.flatMap((row, at) => {
    const outcome = outcomes[at];
    return outcome ? [{ row, outcome }] : [];
  });
  if (!signal?.aborted) {
    const runs = cases.map(({ row, outcome }) => ({ id: row.id, asOf: row.updatedAt, ...outcome }));
    await rows.updateLastRuns(db.prisma, workspaceId, hash, runs);
  }
  return {
    sha256: hash,
    durationMs: world.clock.now() - beganMs,
    cases: cases.map(({ row, outcome }) => ({ id: row.id, name: row.name, ...outcome })),
  };
}
