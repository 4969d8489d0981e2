/** The entries about policies, their reviews and their judges. */
import { z } from "zod";
import { entry, number, ownEntry, text } from "./entry-shape.ts";

const points = number.nullable();
const canaryLimits = z.strictObject({
  ...{ denied: points, asked: points, failed: points, slow: points, overturned: points },
  slowMs: number,
});
const canaryCounts = z.strictObject({
  ...{ agents: number, calls: number, denied: number, asked: number, failed: number, slow: number },
  overturned: number,
});

const share = z.strictObject({ hits: number, of: number });

const published = { policy: text, revision: number, sha256: text, note: text };
/** `override`: published in spite of these failing test cases. `review`: who else had approved the text. */
const decided = {
  override: z
    .strictObject({
      reason: text,
      cases: z.array(z.strictObject({ case: text, name: text })),
    })
    .nullable(),
  review: z.strictObject({ id: text, by: text, name: text }).nullable(),
};

const requirements = {
  ...{ needsBacktest: z.boolean(), needsReview: z.boolean(), newDenialsMax: number.nullable() },
  needsPassingCases: z.boolean(),
};

export const POLICY_ENTRIES = [
  entry("policy_created", { policy: text, name: text }),
  /** The policy's draft now has the pack's text. `from` is 0 when the policy was created from the pack. */
  entry("policy_pack_taken", { policy: text, pack: text, from: number, to: number }),
  entry("review_requested", { policy: text, review: text, sha256: text, base: number }),
  entry("review_decided", {
    policy: text,
    review: text,
    sha256: text,
    outcome: z.enum(["approved", "changes_requested", "withdrawn"]),
  }),
  entry("review_commented", { policy: text, review: text, comment: text }),
  /** `asked`: who asked to switch it off before another person, `by`, agreed; null when it was switched on. */
  entry("four_eyes_set", {
    policy: text,
    isOn: z.boolean(),
    asked: z.strictObject({ id: text, name: text }).nullable(),
  }),
  entry("four_eyes_off_asked", { policy: text, isWithdrawn: z.boolean() }),
  /** A change of what binds agents, asked of a second person. `change` names the request. */
  entry("binding_change_requested", { change: text, policies: z.array(text), summary: text, note: text }),
  entry("binding_change_decided", {
    change: text,
    policies: z.array(text),
    summary: text,
    outcome: z.enum(["approved", "declined", "withdrawn", "applied"]),
  }),
  /** Made by one person although two are required. */
  entry("four_eyes_overridden", { change: text, policies: z.array(text), summary: text, reason: text }),
  /** The requirements for each text that takes effect. */
  z.discriminatedUnion("version", [
    entry("publish_requirements_set", requirements),
    entry("publish_requirements_set", { ...requirements, injectionMin: number.nullable() }, 2),
  ]),
  /** A text was put in force by the emergency path although it does not meet these requirements. */
  entry("publish_requirements_overridden", {
    ...{ change: text, policies: z.array(text), summary: text, reason: text },
    requirements: z.array(z.enum(["backtest", "review", "new_denials", "passing_cases", "injection_score"])),
  }),
  /** A person accepted the looser and unknown calls of a backtest. `run` names it, and `sha256` its text. */
  entry("backtest_reviewed", { policy: text, run: text, sha256: text, looser: number, unknown: number }),
  /** A draft runs on the calls that are recorded from now on, without effect. `until` null: until a person stops it. */
  entry("live_test_started", { policy: text, run: text, sha256: text, percent: number, until: text.nullable() }),
  entry("live_test_stopped", { policy: text, run: text, sha256: text, looked: number, skipped: number }),
  z.discriminatedUnion("version", [
    entry("policy_published", published),
    entry("policy_published", { ...published, ...decided }, 2),
    /** The sha256 and the name prove the text in an evidence file. */
    entry("policy_published", { ...published, ...decided, name: text }, 3),
  ]),
  /** The revision took effect although these findings block it. */
  entry("policy_findings_overridden", {
    policy: text,
    revision: number,
    reason: text,
    findings: z.array(z.strictObject({ rule: text, path: text, message: text })),
  }),
  entry("policy_case_saved", { policy: text, case: text, name: text }),
  entry("policy_case_deleted", { policy: text, case: text, name: text }),
  entry("judge_prompt_created", { prompt: text, name: text }),
  entry("judge_prompt_published", { prompt: text, name: text, revision: number, sha256: text, note: text }),
  entry("judge_prompt_deleted", { prompt: text, name: text }),
  /** Questions to a model that cost money; `revision` 0 is a draft, `nanoMax` null a model without a price. */
  entry("judge_trial_started", {
    prompt: text,
    trial: text,
    revision: number,
    sha256: text,
    calls: number,
    repeats: number,
    callsMax: number,
    nanoMax: text.nullable(),
  }),
  /** Questions to a model that cost money; `revision` 0 is a draft. */
  entry("judge_check_started", {
    prompt: text,
    check: text,
    checkKind: z.enum(["injection", "known"]),
    revision: number,
    sha256: text,
    calls: number,
  }),
  /** The percentage of the injection pack that a text must refuse before it is published; null removes it. */
  entry("judge_prompt_requirement_set", { prompt: text, name: text, injectionMin: number.nullable() }),
  /** `source`: recorded, labelled or by hand. */
  entry("judge_known_calls_added", {
    ...{ prompt: text, name: text, source: z.enum(["recorded", "labelled", "hand"]), bad: number, good: number },
  }),
  entry("judge_known_call_removed", { prompt: text, name: text, call: text, callKind: z.enum(["bad", "good"]) }),
  /** Limits in percent; null sets none. */
  entry("judge_watch_set", {
    ...{ prompt: text, name: text, isOn: z.boolean(), minute: number, halts: z.boolean() },
    ...{ recallMin: number.nullable(), falseAlarmsMax: number.nullable(), flipsMax: number.nullable() },
    nanoMax: text.nullable(),
  }),
  /** The result of a run. `isHalted`: it halted the judge. */
  ownEntry("judge_known_calls_run", {
    ...{ prompt: text, name: text, check: text, revision: number, says: text, isHalted: z.boolean() },
    cause: z.enum(["person", "schedule", "revision", "model"]),
    state: z.enum(["finished", "not_run"]),
    ...{ recall: share, falseAlarms: share, flips: share },
    beyond: z.array(z.enum(["recall", "false_alarms", "flips"])),
  }),
  entry("judge_resumed", { prompt: text, name: text, reason: text }),
  /** A person's label for a judge's answer; `expected` null when the label was taken back. */
  entry("judge_answer_labelled", {
    prompt: text.nullable(),
    subject: text,
    word: z.enum(["right", "too_strict", "too_loose"]).nullable(),
    expected: z.enum(["allow", "ask", "deny"]).nullable(),
  }),
  entry("policy_deleted", { policy: text, name: text }),
  z.discriminatedUnion("version", [
    entry("policy_assigned", { policy: text, scope: z.enum(["workspace", "agent", "nobody"]), agents: z.array(text) }),
    /** A policy may be bound to groups and agents side by side. */
    entry(
      "policy_assigned",
      { policy: text, scope: z.enum(["workspace", "chosen", "nobody"]), groups: z.array(text), agents: z.array(text) },
      2,
    ),
    /** And to tags. */
    entry(
      "policy_assigned",
      {
        ...{ policy: text, scope: z.enum(["workspace", "chosen", "nobody"]) },
        ...{ tags: z.array(text), groups: z.array(text), agents: z.array(text) },
      },
      3,
    ),
    /** And the assignments that it ended, as an undo restores them. */
    entry(
      "policy_assigned",
      {
        ...{ policy: text, scope: z.enum(["workspace", "chosen", "nobody"]) },
        ...{ tags: z.array(text), groups: z.array(text), agents: z.array(text) },
        ended: z.array(
          z.strictObject({
            target: text,
            position: number,
            observed: z.strictObject({ until: text, since: text }).nullable(),
          }),
        ),
      },
      4,
    ),
    /** And to people, services and groups of the sign-on provider. */
    entry(
      "policy_assigned",
      {
        ...{ policy: text, scope: z.enum(["workspace", "chosen", "nobody"]) },
        ...{ tags: z.array(text), groups: z.array(text), agents: z.array(text) },
        ...{ people: z.array(text), signOnGroups: z.array(text) },
        ended: z.array(
          z.strictObject({
            target: text,
            position: number,
            observed: z.strictObject({ until: text, since: text }).nullable(),
          }),
        ),
      },
      5,
    ),
  ]),
  /** The order of the policies for this target; `target` is null for the workspace. */
  entry("policies_ordered", {
    scope: z.enum(["workspace", "tag", "group", "sign_on_group", "person", "agent"]),
    target: text.nullable(),
    policies: z.array(text),
  }),
  /** Another published revision was put in force. `duringFreeze` is why, when the workspace was frozen. */
  entry("policy_rolled_back", { policy: text, from: number, to: number, duringFreeze: text.nullable() }),
  z.discriminatedUnion("version", [
    entry("policy_canary_set", { policy: text, revision: number, share: number, group: text.nullable() }),
    /** And the limits that withdraw it by themselves; null without. */
    entry(
      "policy_canary_set",
      { policy: text, revision: number, share: number, group: text.nullable(), limits: canaryLimits.nullable() },
      2,
    ),
  ]),
  /** A canary passed one of its limits. Its agents are under the revision `live` again; 0 if no revision is in force. */
  ownEntry("policy_canary_withdrawn", {
    ...{ policy: text, revision: number, live: number, limits: canaryLimits, passed: text },
    ...{ inside: canaryCounts, others: canaryCounts },
    /** The first instant that was compared. */
    from: text,
    /** Some of the calls that passed the limit. */
    calls: z.array(text),
    duringFreeze: text.nullable(),
  }),
  entry("policy_canary_ended", {
    policy: text,
    revision: number,
    outcome: z.enum(["promoted", "abandoned"]),
    duringFreeze: text.nullable(),
  }),
  /** `act` is the number of the entry that was undone. */
  entry("policy_change_undone", {
    policy: text,
    act: number,
    change: z.enum(["policy_published", "policy_rolled_back", "policy_assigned"]),
  }),
  /** `until` is null when it is enforced again. */
  entry("policy_observed", { policy: text, assignments: z.array(text), until: text.nullable() }),
  /** One rule of a policy. `until` is null when it is enforced again. */
  entry("rule_monitored", { policy: text, event: text, rule: text, until: text.nullable() }),
  entry("workspace_frozen", { reason: text }),
  entry("workspace_thawed", { since: text }),
  /** `times` in the workspace's zone: "5 16:00 to 1 08:00" by ISO days of the week, or two local times. */
  entry("freeze_window_added", { window: text, times: text, reason: text }),
  entry("freeze_window_removed", { window: text, times: text, reason: text }),
  /** The occurrence until `until`; `reason` is that of the lifting. */
  entry("freeze_window_lifted", { window: text, until: text, reason: text }),
  entry("hook_tried", { policy: text, revision: number, hook: text }),
] as const;
