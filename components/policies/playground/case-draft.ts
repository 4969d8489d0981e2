/** A case as it is edited: from a run, or from one that is stored. Pure. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { Side } from "@/components/policies/playground/use-runs";
import type { CaseExpectation, CaseView, JudgeReply, PlaygroundReport, PolicyCase } from "@/server/playground/schema";

export interface CaseDraft {
  /** Absent for a new one. */
  readonly caseId?: string;
  readonly one: PolicyCase;
}

/** A case that expects the outcome of a run. */
export function draftOfRun({ asked, report }: Side): CaseDraft | null {
  if (!report) return null;
  const { event, lane, input, runAgentHooks } = asked;
  return {
    one: {
      name: "",
      event,
      lane,
      input,
      expect: expectationOf(report),
      judgeReplies: repliesOf(report),
      keepsSecrets: false,
      runsAgentHooks: runAgentHooks,
    },
  };
}

export function draftOfCase(view: CaseView): CaseDraft {
  const { id, isMasked: _masked, createdBy: _by, updatedAt: _at, last: _last, ...one } = view;
  return { caseId: id, one };
}

function expectationOf(report: PlaygroundReport): CaseExpectation {
  const { result, verdict, hooks } = report;
  const said = hooks.filter((hook) => hook.ran && !hook.ran.isUnasked && hook.ran.said !== "nothing");
  const message = (result.message || result.reason).trim().split("\n")[0] ?? "";
  return {
    ...(verdict === "unknown" ? {} : { verdict }),
    ...(verdict === "unknown" ? { allowed: result.allowed } : {}),
    ...(message === "" || verdict === "unknown" ? {} : { message: truncateText(message, 200, "") }),
    ...(said.length > 0 && { hooks: Object.fromEntries(said.map((hook) => [hook.name, hook.ran?.said ?? "nothing"])) }),
  };
}

/** Judges that were asked answer in the case as they did; the others are left for a person to fill in. */
function repliesOf(report: PlaygroundReport): JudgeReply[] {
  return report.hooks.flatMap(({ ran, path, name }): JudgeReply[] => {
    if (!ran?.judge) return [];
    return [{ hook: name === "model" ? path : name, reply: ran.judge.reply ?? "" }];
  });
}
