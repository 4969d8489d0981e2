/** The sentences about policies, their reviews and their judges. */
import { day, sentences, tagged } from "@/components/audit/sentence-table";
import { plural } from "@/components/ui/format/count";

const LABELLED = { right: "correct", too_strict: "should have allowed", too_loose: "should have denied" } as const;

const UNDONE = {
  policy_published: "the publication of",
  policy_rolled_back: "the change of the revision of",
  policy_assigned: "the assignment of",
} as const;

interface Requirements {
  readonly needsBacktest: boolean;
  readonly needsReview: boolean;
  readonly newDenialsMax: number | null;
  readonly needsPassingCases: boolean;
  /** Absent in entries of version 1. */
  readonly injectionMin?: number | null;
}

function requirementsText(required: Requirements): string {
  const { needsBacktest, needsReview, newDenialsMax, needsPassingCases, injectionMin = null } = required;
  const all = [
    needsBacktest ? "a backtest" : null,
    needsReview ? "reviewed less strict outcomes" : null,
    newDenialsMax === null ? null : `at most ${newDenialsMax} new denials a day`,
    needsPassingCases ? "passing test cases" : null,
    injectionMin === null ? null : `an injection score of ${injectionMin} % for each judge`,
  ].filter((one) => one !== null);
  return all.length === 0 ? "none" : all.join(", ");
}

export const POLICY_SENTENCES = sentences({
  policy_created: { label: "policy created", says: (e) => `created the policy ${e.name}` },
  policy_pack_taken: {
    label: "pack taken",
    says: (e, name) => `took version ${e.to} of the pack ${e.pack} into the draft of ${name}`,
  },
  review_requested: { label: "review asked", says: (_, name) => `asked for a review of ${name}` },
  review_decided: {
    label: "review decided",
    says: (e, name) =>
      e.outcome === "approved"
        ? `approved a text of ${name}`
        : e.outcome === "withdrawn"
          ? `withdrew a review of ${name}`
          : `asked for changes of ${name}`,
  },
  review_commented: { label: "review comment", says: (_, name) => `commented on a review of ${name}` },
  four_eyes_set: {
    label: "four eyes",
    says: (e, name) => `${e.isOn ? "asks for" : "no longer asks for"} a second pair of eyes on ${name}`,
  },
  four_eyes_off_asked: {
    label: "four eyes asked off",
    says: (e, name) => `${e.isWithdrawn ? "no longer wants" : "wants"} ${name} to do without a second pair of eyes`,
  },
  binding_change_requested: { label: "change asked", says: (e) => `asked a second person: ${e.summary}` },
  binding_change_decided: { label: "change decided", says: (e) => `${e.outcome}: ${e.summary}` },
  four_eyes_overridden: {
    label: "four eyes overridden",
    says: (e) => `took the emergency path past four eyes: ${e.summary} Reason: ${e.reason}`,
  },
  publish_requirements_set: {
    label: "publish requirements",
    says: (e) => `set the publish requirements: ${requirementsText(e)}`,
  },
  publish_requirements_overridden: {
    label: "requirements overridden",
    says: (e) => `took the emergency path past publish requirements: ${e.summary} Reason: ${e.reason}`,
  },
  backtest_reviewed: {
    label: "backtest reviewed",
    says: (e, name) =>
      `accepted ${plural(e.looser, "less strict outcome")} and ${plural(e.unknown, "unknown outcome")} in a backtest of ${name}`,
  },
  live_test_started: {
    label: "live test started",
    says: (e, name) => `started a live test of the draft of ${name} with ${e.percent} % of a processor`,
  },
  live_test_stopped: {
    label: "live test stopped",
    says: (e, name) => `stopped the live test of the draft of ${name} after ${plural(e.looked, "call")}`,
  },
  policy_published: {
    label: "published",
    says: (e, name) =>
      `published revision ${e.revision} of ${name}${e.version !== 1 && e.override ? " in spite of failing test cases" : ""}`,
  },
  policy_findings_overridden: {
    label: "findings overridden",
    says: (e, name) =>
      `overrode ${plural(e.findings.length, "finding")} that ${e.findings.length === 1 ? "blocks" : "block"} revision ${e.revision} of ${name}. Reason: ${e.reason}`,
  },
  policy_case_saved: { label: "test case", says: (e, name) => `saved the test case ${e.name} of ${name}` },
  policy_case_deleted: { label: "test case deleted", says: (e, name) => `deleted the test case ${e.name} of ${name}` },
  judge_prompt_created: { label: "prompt created", says: (e) => `created the judge prompt ${e.name}` },
  judge_prompt_published: {
    label: "prompt published",
    says: (e) => `published revision ${e.revision} of the judge prompt ${e.name}`,
  },
  judge_prompt_deleted: { label: "prompt deleted", says: (e) => `deleted the judge prompt ${e.name}` },
  judge_trial_started: {
    label: "prompt tried",
    says: (e, name) => `tried the judge prompt ${name} on ${plural(e.calls, "call")}`,
  },
  judge_check_started: {
    label: "prompt tested",
    says: (e, name) =>
      `put ${e.checkKind === "known" ? "known calls" : "the injection pack"} (${plural(e.calls, "call")}) to the judge prompt ${name}`,
  },
  judge_prompt_requirement_set: {
    label: "requirement",
    says: (e) =>
      e.injectionMin === null
        ? `removed the required injection score of the judge prompt ${e.name}`
        : `required an injection score of ${e.injectionMin} % from the judge prompt ${e.name}`,
  },
  judge_known_calls_added: {
    label: "known calls",
    says: (e) =>
      `added ${plural(e.bad, "bad call")} and ${plural(e.good, "good call")} to the known calls of the judge prompt ${e.name}`,
  },
  judge_known_call_removed: {
    label: "known calls",
    says: (e) => `removed a ${e.callKind} call from the known calls of the judge prompt ${e.name}`,
  },
  judge_watch_set: {
    label: "judge watched",
    says: (e) =>
      `${e.isOn ? "set the schedule and limits" : "switched off the schedule"} of the judge prompt ${e.name}`,
  },
  judge_known_calls_run: {
    label: "known calls",
    says: (e) => {
      if (e.state === "not_run") return `did not run the known calls of the judge prompt ${e.name}: ${e.says}`;
      const ran = `ran the known calls of the judge prompt ${e.name}`;
      if (e.beyond.length === 0) return `${ran}: no limit was passed`;
      return e.isHalted ? `${ran}: a limit was passed, and the judge is halted` : `${ran}: a limit was passed`;
    },
  },
  judge_resumed: { label: "judge resumed", says: (e) => `resumed the judge prompt ${e.name}: ${e.reason}` },
  judge_answer_labelled: {
    label: "answer labelled",
    says: (e) =>
      e.word === null ? "removed the label of a judge verdict" : `labelled a judge verdict: ${LABELLED[e.word]}`,
  },
  policy_deleted: { label: "policy deleted", says: (e) => `deleted the policy ${e.name}` },
  policy_assigned: {
    label: "assigned",
    says: (e, name, list) => {
      if (e.scope === "workspace") return `applied ${name} to the whole workspace`;
      if (e.scope === "nobody") return `removed ${name} from all agents`;
      const tags = e.version !== 1 && e.version !== 2 && e.tags.length > 0 ? [tagged(e.tags)] : [];
      const people =
        e.version === 5 && e.people.length > 0
          ? [plural(e.people.length, "person or service", "people or services")]
          : [];
      const signOn =
        e.version === 5 && e.signOnGroups.length > 0 ? [plural(e.signOnGroups.length, "sign-on group")] : [];
      const groups = e.version !== 1 && e.groups.length > 0 ? [list("group", e.groups)] : [];
      const agents = e.agents.length > 0 ? [list("agent", e.agents)] : [];
      return `applied ${name} to ${[...tags, ...groups, ...signOn, ...people, ...agents].join(" and ")}`;
    },
  },
  policies_ordered: {
    label: "ordered",
    says: (e, _, list) => `put ${list("policy", e.policies)} in order`,
  },
  policy_rolled_back: {
    label: "rolled back",
    says: (e, name) =>
      e.to === 0
        ? `took revision ${e.from} of ${name} out of force`
        : `put ${name} back from revision ${e.from} to ${e.to}`,
  },
  policy_change_undone: {
    label: "undone",
    says: (e, name) => `undid ${UNDONE[e.change]} ${name}, entry ${e.act}`,
  },
  policy_canary_set: {
    label: "canary",
    says: (e, name) => `lets ${e.share} % of the agents try revision ${e.revision} of ${name}`,
  },
  policy_canary_ended: {
    label: "canary ended",
    says: (e, name) => `${e.outcome} the canary of revision ${e.revision} of ${name}`,
  },
  policy_canary_withdrawn: {
    label: "canary withdrawn",
    says: (e, name) =>
      `withdrew the canary of revision ${e.revision} of ${name}: too many calls were ${e.passed}; ${e.live === 0 ? "no revision" : `revision ${e.live}`} is in force`,
  },
  policy_observed: {
    label: "observed",
    says: (e, name) => (e.until === null ? `enforces ${name} again` : `only observes ${name} until ${day(e.until)}`),
  },
  rule_monitored: {
    label: "rule monitored",
    says: (e, name) =>
      e.until === null
        ? `enforces the rule "${e.rule}" of ${name} again`
        : `only monitors the rule "${e.rule}" of ${name} until ${day(e.until)}`,
  },
  workspace_frozen: { label: "frozen", says: (e) => `froze the workspace: ${e.reason}` },
  workspace_thawed: { label: "thawed", says: () => "ended the freeze" },
  freeze_window_added: {
    label: "freeze window added",
    says: (e) => `added a freeze window, ${e.times}: ${e.reason}`,
  },
  freeze_window_removed: {
    label: "freeze window removed",
    says: (e) => `removed a freeze window, ${e.times}: ${e.reason}`,
  },
  freeze_window_lifted: {
    label: "freeze window lifted",
    says: (e) => `lifted the freeze until ${day(e.until)}: ${e.reason}`,
  },
  hook_tried: { label: "hook tried", says: (e, name) => `had a hook of ${name} tried again (${e.hook})` },
});
