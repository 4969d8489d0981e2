import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  expectedOfRecordedSessions,
  type Owner,
  type RecordingRig,
  recordedSessionsAreThere,
  recordingRig,
  recordOf,
  recordSessions,
} from "../../e2e/fixtures/recording-rig.ts";
import { stoppedClock } from "../platform/clock.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { DispatchRecord } from "../recording/index.ts";
import {
  attemptDetailView,
  compactionFilter,
  compactionSummaryView,
  compactionsView,
  listCompactions,
} from "./schema.ts";
import * as service from "./service.ts";

const ALL = { from: new Date(0), to: new Date("2100-01-01T00:00:00.000Z") };
const figuresInput = (more: object = {}) => compactionFilter.parse({ ...ALL, ...more });
const input = (more: object = {}) => listCompactions.parse({ ...ALL, ...more });
const START = Date.parse("2026-10-01T09:00:00.000Z");

const expected = z.object({
  overall: z.object({ compactions: z.record(z.string(), z.object({ count: z.number(), tokens_before: z.number() })) }),
});

describe.skipIf(!recordedSessionsAreThere)(
  "every recorded session (skipped without the recorded sessions beside this checkout)",
  () => {
    let rig: RecordingRig;
    beforeAll(async () => {
      rig = await recordingRig();
      await recordSessions(rig, new Date(START));
    }, 120_000);
    afterAll(() => rig.close());

    test("applied compactions and the tokens before them equal the published ones", async () => {
      const figures = compactionSummaryView.parse(
        await service.summariseAttempts(rig.db.database, rig.workspaceId, figuresInput()),
      );
      const own = Object.fromEntries(
        figures.reasons.map(({ reason, applied, tokensBefore }) => [
          reason,
          { count: applied, tokens_before: Number(tokensBefore) },
        ]),
      );
      expect(own).toEqual(expected.parse(expectedOfRecordedSessions()).overall.compactions);
      expect([figures.attempts, figures.applied, figures.vetoed]).toEqual([4, 4, 0]);
    });

    test("each attempt is one row of three events, with its summary", async () => {
      const { attempts, next } = compactionsView.parse(
        await service.listAttempts(rig.db.database, rig.workspaceId, input()),
      );
      expect(next).toBeNull();
      expect(attempts.map(({ events }) => events)).toEqual(
        Array.from({ length: 4 }, () => ["pre_compact", "before_compaction", "after_compaction"]),
      );
      for (const { id, occurredAt, summaryBytes, durationMs } of attempts) {
        const one = attemptDetailView.parse(
          await service.getAttempt(rig.db.database, rig.workspaceId, { id, occurredAt }),
        );
        expect(Buffer.byteLength(one.summary ?? "")).toBe(summaryBytes);
        expect(one.steps.map(({ event }) => event)).toEqual(one.events);
        expect(durationMs).toBeGreaterThan(20_000);
      }
    });
  },
);

describe("attempts", () => {
  let rig: RecordingRig;
  let owner: Owner;
  let seconds = 0;
  beforeAll(async () => {
    rig = await recordingRig();
  });
  beforeEach(async () => {
    owner = await rig.addOwner();
  });
  afterAll(() => rig.close());

  async function say(event: string, members: object, more: Partial<DispatchRecord> = {}, who = owner) {
    seconds += 1;
    const record = recordOf(who, event, JSON.stringify(members), {
      occurredAt: new Date(START + seconds * 1_000),
      ...more,
    });
    await rig.recorder.record(record, false);
    return record;
  }
  const asked = (session_id: string, more: Partial<DispatchRecord> = {}, source = "auto") =>
    say("pre_compact", { session_id, source }, more);
  const begun = (session_id: string, more: Partial<DispatchRecord> = {}) =>
    say(
      "before_compaction",
      { session_id, compaction_reason: "threshold", input_tokens: 90, output_tokens: 5, context_limit: 100 },
      more,
    );
  const done = (session_id: string, summary = "short") =>
    say("after_compaction", {
      session_id,
      compaction_reason: "threshold",
      input_tokens: 90,
      output_tokens: 5,
      context_limit: 100,
      summary,
    });
  const answer = (specific: object) => ({ answer: { hook_specific_output: specific } });
  const of = async (session: string) =>
    (await service.listAttempts(rig.db.database, owner.workspaceId, input({ sessions: [session] }))).attempts;

  test("of two sessions at the same time do not mix", async () => {
    for (const step of [asked, begun, done]) for (const session of ["one", "two"]) await step(session);
    expect((await of("one")).map(({ outcome, events }) => [outcome, events.length])).toEqual([["applied", 3]]);
    expect((await of("two")).map(({ durationMs }) => durationMs)).toEqual([4_000]);
  });

  test("a context limit of 0 is one that the agent does not know", async () => {
    const about = { session_id: "limitless", compaction_reason: "manual", input_tokens: 90, context_limit: 0 };
    await say("before_compaction", about);
    await say("after_compaction", { ...about, summary: "short" });
    expect(await of("limitless")).toMatchObject([{ tokensBefore: 90n, contextLimit: null }]);
  });

  test("a veto at either event ends the attempt, with the words of the hook", async () => {
    await asked("v", { verdict: "deny", reason: 'Denied by "keep": not now.' });
    await asked("v");
    await begun("v", { verdict: "deny", reason: 'Denied by "guard": the plan is not saved.' });
    await begun("v");
    await done("v");
    const attempts = await of("v");
    expect(attempts.map(({ outcome, events, vetoedBecause }) => [outcome, events, vetoedBecause])).toEqual([
      ["applied", ["before_compaction", "after_compaction"], null],
      ["vetoed", ["pre_compact", "before_compaction"], 'Denied by "guard": the plan is not saved.'],
      ["vetoed", ["pre_compact"], 'Denied by "keep": not now.'],
    ]);
    expect(attempts.at(-1)?.tokensBefore).toBeNull();
    expect(attempts.map(({ reason }) => reason)).toEqual(["threshold", "threshold", "threshold"]);
  });

  test("a prompt that was steered and a summary that was replaced are both told, with their words", async () => {
    await asked("h", answer({ additional_context: "keep the open questions" }));
    await begun("h", answer({ summary: "the hook's own" }));
    await done("h", "the hook's own");
    const [attempt] = await of("h");
    expect(attempt).toMatchObject({
      interventions: ["steered", "replaced"],
      outcome: "applied",
      summaryStart: "the hook's own",
    });
    if (!attempt) throw new Error("the attempt is missing");
    const key = { occurredAt: attempt.occurredAt, id: attempt.id };
    const detail = attemptDetailView.parse(await service.getAttempt(rig.db.database, owner.workspaceId, key));
    expect(detail).toMatchObject({
      steeredBy: "keep the open questions",
      replacedBy: "the hook's own",
      ordinal: 1,
      ofSession: 1,
    });
  });

  test("an attempt nobody ended is under way, and after ten minutes of silence unfinished", async () => {
    await asked("open");
    const last = await begun("open");
    const at = (ms: number) =>
      service.listAttempts(
        rig.db.database,
        owner.workspaceId,
        input({ sessions: ["open"] }),
        stoppedClock(last.occurredAt.getTime() + ms),
      );
    const outcomes = async (ms: number) =>
      (await at(ms)).attempts.map(({ outcome, durationMs }) => [outcome, durationMs]);
    expect(await outcomes(1_000)).toEqual([["running", null]]);
    expect(await outcomes(600_000)).toEqual([["unfinished", null]]);
  });

  test("are walked within their session", async () => {
    for (let round = 0; round < 3; round += 1) for (const step of [asked, begun, done]) await step("many");
    const attempts = await of("many");
    const keys = attempts.map(({ occurredAt, id }) => ({ occurredAt, id }));
    const [third, second, first] = keys;
    if (!second) throw new Error("the attempt is missing");
    const detail = await service.getAttempt(rig.db.database, owner.workspaceId, second);
    expect([detail.previous, detail.next, detail.ordinal, detail.ofSession]).toEqual([first, third, 2, 3]);
  });

  test("page by page are the same as all at once, whatever is filtered", async () => {
    for (const session of ["one", "two"]) {
      await asked(session, { verdict: "deny", reason: 'Denied by "keep": not now.' });
      await asked(session, answer({ additional_context: "keep the open questions" }));
      await begun(session);
      await done(session);
    }
    await asked("open");
    const all = (await service.listAttempts(rig.db.database, owner.workspaceId, input({ limit: 200 }))).attempts;
    for (const filter of [{}, { outcomes: ["applied"] }, { hooks: ["vetoed", "steered"] }, { text: "DENIED by" }]) {
      const met: string[] = [];
      let cursor: { occurredAt: Date; id: string } | null = null;
      do {
        const page = await service.listAttempts(
          rig.db.database,
          owner.workspaceId,
          input({ limit: 1, cursor, ...filter }),
        );
        met.push(...page.attempts.map(({ id }) => id));
        cursor = page.next;
      } while (cursor);
      const whole = await service.listAttempts(rig.db.database, owner.workspaceId, input({ limit: 200, ...filter }));
      expect(met).toEqual(whole.attempts.map(({ id }) => id));
      expect(met.length).toBeGreaterThan(0);
      expect(met.every((id) => all.some((attempt) => attempt.id === id))).toBe(true);
    }
  });

  test("the figures are medians of what was said, and null when nothing was", async () => {
    const other = await rig.addOwner();
    expect(await service.summariseAttempts(rig.db.database, other.workspaceId, figuresInput())).toMatchObject({
      attempts: 0,
      medianTokensBefore: null,
      medianShareOfLimit: null,
    });
    const one = (session_id: string, input_tokens: number) =>
      say(
        "after_compaction",
        { session_id, compaction_reason: "manual", input_tokens, context_limit: 1_000 },
        {},
        other,
      );
    for (const tokens of [100, 300, 900]) await one(`s${tokens}`, tokens);
    await say("after_compaction", { session_id: "silent", compaction_reason: "manual" }, {}, other);
    const figures = await service.summariseAttempts(rig.db.database, other.workspaceId, figuresInput());
    expect(figures).toMatchObject({ attempts: 4, medianTokensBefore: 300n, medianShareOfLimit: 0.3, sessions: 4 });
    expect(figures.reasons).toEqual([{ reason: "manual", attempts: 4, applied: 4, tokensBefore: 1_300n }]);
    // Filtered, they are those of the listed attempts.
    const of = (filter: object) => service.summariseAttempts(rig.db.database, other.workspaceId, figuresInput(filter));
    expect(await of({ sessions: ["s100", "s300"] })).toMatchObject({ attempts: 2, medianTokensBefore: 100n });
    expect(await of({ text: "s900" })).toMatchObject({ attempts: 1, medianTokensBefore: 900n, sessions: 1 });
    expect(await of({ outcomes: ["vetoed"] })).toMatchObject({ attempts: 0, medianTokensBefore: null });
  });

  test("of another workspace are not there, and of another agent not the same session", async () => {
    for (const step of [asked, begun, done]) await step("one");
    const { workspaceId } = await rig.addOwner();
    expect((await service.listAttempts(rig.db.database, workspaceId, input())).attempts).toEqual([]);
    const [mine] = await of("one");
    if (!mine) throw new Error("the attempt is missing");
    const key = { occurredAt: mine.occurredAt, id: mine.id };
    await expect(service.getAttempt(rig.db.database, workspaceId, key)).rejects.toMatchObject({
      code: "dispatch_not_found",
    });
    await expect(
      service.getAttempt(rig.db.database, owner.workspaceId, { ...key, id: uuidv7() }),
    ).rejects.toMatchObject({
      code: "dispatch_not_found",
    });
    const colleague = await rig.addOwner(owner.workspaceId);
    await asked("shared id");
    await say("after_compaction", { session_id: "shared id" }, {}, colleague);
    expect((await of("shared id")).map(({ events }) => events)).toEqual([["after_compaction"], ["pre_compact"]]);
  });

  test("hostile texts and the ends of time are answered", async () => {
    await say("after_compaction", {
      session_id: "\u0000'--",
      summary: "nul \u0000 and \ud800",
      compaction_reason: "\u0000",
    });
    const far = { from: new Date(-8.64e15), to: new Date(8.64e15) };
    const { attempts } = await service.listAttempts(
      rig.db.database,
      owner.workspaceId,
      input({ ...far, sessions: ["\u0000'--"] }),
    );
    expect(attempts.map(({ summaryStart }) => summaryStart)).toEqual(["nul \\u0000 and \\ud800"]);
    await service.summariseAttempts(rig.db.database, owner.workspaceId, figuresInput(far));
  });
});
