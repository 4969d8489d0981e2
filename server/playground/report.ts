/** The report of a run as the page shows it: bounded, with every long text once. */

import type { EventName, HookOrigin, Lane, Profile, Result } from "@quarterdeck/hooks";
import { runsOn } from "@quarterdeck/hooks";
import { printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { HookRunDetail, RunDetail } from "./run.ts";
import type { CutText, PlaygroundHook, PlaygroundReport, StepView } from "./schema.ts";

const TEXT_CHARS_MAX = 256 * 1024;
const TEXTS_CHARS_MAX = 6 * 1024 * 1024;
const STEP_CHARS_MAX = 16 * 1024;
const HOOKS_MAX = 300;
const LABEL_CHARS_MAX = 200;
const INSTRUCTIONS_MAX = 50;

export interface ReportOf {
  readonly profile: Profile;
  readonly event: EventName;
  readonly lane: Lane;
  /** The policy that is tried; hooks of others are marked. */
  readonly subject: HookOrigin;
  readonly notes: readonly string[];
}

/** The view of a trial. */
export function playgroundReportOf(tried: RunDetail, of: ReportOf): PlaygroundReport {
  const texts = new Texts();
  const shown = shownFirst(tried.hooks);
  const hooks = shown.map((one) => hookView(one, of.subject, texts));
  const result = stepView(tried.report.result, texts);
  const answer = cut(printExactJson(tried.answer), TEXT_CHARS_MAX);
  const notes = [...of.notes, ...(texts.isCut ? ["Some texts are long and shown by their beginning."] : [])];
  return {
    profile: of.profile,
    event: of.event,
    lane: of.lane,
    verdict: tried.isCertain ? tried.verdict : "unknown",
    says: tried.says,
    missing: tried.missing.map((one) => ({
      path: one.hook.path,
      name: one.hook.name,
      why: one.isUnasked ? "Not asked: judges cost money. Tick judges to ask them." : one.why,
    })),
    hooks,
    hooksLeftOut: tried.hooks.length - shown.length,
    result,
    answer,
    durationMs: tried.report.durationMs,
    texts: texts.all,
    notes,
  };
}

/** The shown hooks in order; hooks that ran take precedence over those that did not. */
function shownFirst(hooks: readonly HookRunDetail[]): readonly HookRunDetail[] {
  if (hooks.length <= HOOKS_MAX) return hooks;
  const ran = new Set(hooks.filter((one) => one.report).slice(0, HOOKS_MAX));
  let room = HOOKS_MAX - ran.size;
  return hooks.filter((one) => ran.has(one) || (!one.report && room-- > 0));
}

function hookView(one: HookRunDetail, subject: HookOrigin, texts: Texts): PlaygroundHook {
  const { hook, report } = one;
  const judge = report?.judge;
  return {
    policy: hook.origin.policy ?? "",
    isSubject: hook.origin === subject,
    path: hook.path,
    name: truncateText(hook.name, 500),
    type: hook.definition.type ?? "",
    runsOn: runsOn(hook.definition),
    choice: one.choice,
    why: one.why,
    ran: report
      ? {
          stdin: one.stdin === undefined ? null : texts.put(one.stdin),
          stdout: texts.put(report.stdout),
          stderr: texts.put(report.stderr),
          exitCode: report.exitCode ?? null,
          startedMs: report.startedMs,
          durationMs: report.durationMs,
          outcome: report.outcome.kind,
          said: report.said,
          blocked: report.blocked,
          error: report.error ?? null,
          isUnasked: one.isUnasked,
          judge: judge
            ? {
                model: judge.model,
                prompt: judge.prompt === undefined ? null : cut(judge.prompt, STEP_CHARS_MAX).text,
                reply: judge.reply === undefined ? null : cut(judge.reply, STEP_CHARS_MAX).text,
                cause: judge.cause ?? null,
                costNano: judge.costNanoUsd?.toString() ?? null,
              }
            : null,
          step: one.step ? stepView(one.step, texts) : null,
        }
      : null,
  };
}

function stepView(result: Result, texts: Texts): StepView {
  const short = (text: string) => cut(text, STEP_CHARS_MAX).text;
  const rewritten = payloadOf(result);
  return {
    allowed: result.allowed,
    decision: result.decision,
    approved: result.permission_allowed,
    reason: short(result.decision_reason),
    message: short(result.message),
    systemMessage: short(result.system_message),
    context: short(result.additional_context),
    summary: short(result.summary),
    metadata: result.metadata && { ...result.metadata },
    route: result.transition && truncateText(result.transition.agent, LABEL_CHARS_MAX),
    instructions: result.instruction_context.slice(0, INSTRUCTIONS_MAX).map(instructionLabel),
    exitCode: result.exit_code,
    rewritten: rewritten === null ? null : texts.put(typeof rewritten === "string" ? rewritten : pretty(rewritten)),
  };
}

function instructionLabel(item: Result["instruction_context"][number]): string {
  const named = [item.label, item.key, item.group].find((text) => typeof text === "string" && text !== "");
  return truncateText(String(named ?? "without a name"), LABEL_CHARS_MAX);
}

const pretty = (value: unknown): string => printExactJson(value, 2);

/** The replacement of the payload; null without one. */
export function payloadOf({ modified_input, updated_messages, updated_tool_response }: Result) {
  return modified_input ?? updated_messages ?? updated_tool_response;
}

/** Every text once, each and all together bounded. */
class Texts {
  readonly all: CutText[] = [];
  isCut = false;
  private readonly known = new Map<string, number>();
  private left = TEXTS_CHARS_MAX;

  put(text: string): number {
    const before = this.known.get(text);
    if (before !== undefined) return before;
    const kept = cut(text, Math.min(TEXT_CHARS_MAX, this.left));
    this.left -= kept.text.length;
    this.isCut ||= kept.isCut;
    const at = this.all.push(kept) - 1;
    this.known.set(text, at);
    return at;
  }
}

function cut(text: string, charsMax: number): CutText {
  const bytes = Buffer.byteLength(text);
  return { text: truncateText(text, charsMax, ""), bytes, isCut: text.length > charsMax };
}
