/** Combines the outcomes of hooks into one Result, in configuration order: speed never matters. */
import { z } from "zod";
import type { EventContract, EventName } from "../contract/events.ts";
import type { HookOutput } from "../contract/output.ts";
import { type Instruction, instructionItem, instructionOf, type Transition } from "../contract/output-items.ts";
import type { ProfileRules } from "../contract/profiles.ts";
import { goTrim } from "../contract/trim.ts";
import { type Contribution, pickStrongestWord, type Said } from "./contribution.ts";
import { failurePolicy } from "./failure-policy.ts";
import { failureText, type HookFailure, type HookOutcome } from "./outcome.ts";
import type { PlannedHook } from "./plan.ts";
import { type Decision, NEUTRAL, type Result } from "./result.ts";
import { NOT_REWRITTEN, type Rewritten, rewriteIn, sideBySide } from "./rewrite.ts";
import { isBlocking } from "./strict.ts";
import { decisionOf, isStricter } from "./stricter.ts";
import { transitionOf } from "./transition.ts";

export interface HookResult {
  readonly hook: PlannedHook;
  readonly outcome: HookOutcome;
}

export interface Aggregated {
  readonly result: Result;
  /** One per hook, in the order given. */
  readonly contributions: readonly Contribution[];
}

export interface Aggregation {
  readonly event: EventName;
  readonly contract: EventContract;
  readonly rules: ProfileRules;
  /** The rewrite of a chain; absent if the hooks ran in parallel. */
  readonly chained?: Rewritten;
  /** The tool's arguments as they were sent. */
  readonly arguments?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The Result of a dispatch, and the contribution of each hook. */
export function aggregateOutcomes(settled: readonly HookResult[], aggregation: Aggregation): Aggregated {
  const fold = new Fold(aggregation);
  const contributions = settled.map((one) => fold.add(one));
  return { result: fold.result(), contributions };
}

class Fold {
  private allowed = true;
  private permissionAllowed = false;
  private exitCode = 0;
  private stderr = "";
  private summary = "";
  private decision: Decision | "" = "";
  private decisionReason = "";
  private metadata: Record<string, string> | null = null;
  private rewritten: Rewritten = NOT_REWRITTEN;
  private replacesArguments = false;
  private readonly messages: string[] = [];
  private readonly contexts: string[] = [];
  private readonly systemMessages: string[] = [];
  private readonly instructions: Instruction[] = [];
  private readonly failedHooks: string[] = [];
  private transition: Transition | null = null;

  constructor(private readonly given: Aggregation) {}

  add({ hook, outcome }: HookResult): Contribution {
    if (outcome.kind === "failed" || outcome.kind === "refused" || outcome.kind === "ignored")
      this.failedHooks.push(hook.name);
    switch (outcome.kind) {
      case "completed":
        return outcome.output ? this.addOutput(hook, outcome.output) : NOTHING;
      case "spoke":
        if (!this.given.contract.addsContext) return NOTHING;
        this.contexts.push(outcome.text);
        return { said: "context", blocked: false };
      case "refused":
        return this.addRefusal(hook, outcome.reason);
      case "ignored":
        return NOTHING;
      case "failed":
        return this.addFailure(hook, outcome.failure, outcome.stderr);
    }
  }

  result(): Result {
    return {
      ...NEUTRAL,
      ...(this.given.chained ?? this.whole()),
      allowed: this.allowed,
      permission_allowed: this.permissionAllowed,
      message: this.messages.join("\n"),
      additional_context: this.contexts.join("\n"),
      system_message: this.systemMessages.join("\n"),
      exit_code: this.exitCode,
      stderr: this.stderr,
      summary: this.summary,
      metadata: this.metadata,
      decision: this.decision,
      decision_reason: this.decisionReason,
      instruction_context: this.instructions,
      failed_hooks: this.failedHooks,
      transition: this.allowed ? this.transition : null,
    };
  }

  private addFailure(hook: PlannedHook, failure: HookFailure, stderr: string): Contribution {
    const { event, contract, rules } = this.given;
    const words = rules.failureWords(event, hook.name, failureText(failure));
    const means = failurePolicy(contract, hook);
    if (means === "refused") {
      this.allowed = false;
      this.exitCode = -1;
      this.stderr = stderr;
      this.messages.push(words);
    } else if (means === "warned" && rules.warnsUser) this.systemMessages.push(words);
    return { said: "failed", blocked: means === "refused" };
  }

  private addRefusal(hook: PlannedHook, stderr: string): Contribution {
    if (!this.given.contract.canBlock) return this.cannotBlock(hook, "returned exit 2");
    this.allowed = false;
    this.exitCode = 2;
    if (stderr !== "") {
      this.stderr = stderr;
      this.messages.push(goTrim(stderr));
    }
    return { said: "block", blocked: true };
  }

  private addOutput(hook: PlannedHook, output: HookOutput): Contribution {
    const said = new Set<Said>();
    const blocked = this.addBlock(hook, output, said);
    if (output.system_message) this.say(said, "message", this.systemMessages, output.system_message);
    const denied = this.addVerdict(hook, output, said);
    this.addRewrite(hook, output, said);
    this.addFacts(output, said);
    this.addInstructions(output, said);
    const conflicts = this.addTransition(output, said);
    if (this.given.contract.guardsContent && output.continue === true) said.add("allow");
    return { said: pickStrongestWord(said), blocked: blocked || denied || conflicts };
  }

  private addInstructions(output: HookOutput, said: Set<Said>): void {
    const { contract, rules } = this.given;
    if (!rules.readsInstructions || !contract.addsInstructions) return;
    const read = z.array(instructionItem.nullable()).safeParse(output.hook_specific_output?.instruction_context);
    if (!read.success || read.data.length === 0) return;
    this.instructions.push(...read.data.map((item) => instructionOf(item ?? {})));
    said.add("context");
  }

  /** True if an earlier hook asked for a different agent. The conflict makes the Result not allowed. */
  private addTransition(output: HookOutput, said: Set<Said>): boolean {
    const asked = this.given.contract.control ? transitionOf(output) : null;
    if (asked === null) return false;
    said.add("route");
    this.transition ??= asked;
    if (this.transition.agent === asked.agent) return false;
    this.allowed = false;
    this.messages.push(`${this.given.event} hooks returned conflicting route transitions`);
    return true;
  }

  private addBlock(hook: PlannedHook, output: HookOutput, said: Set<Said>): boolean {
    if (!isBlocking(output)) return false;
    if (!this.given.contract.canBlock) {
      said.add(this.cannotBlock(hook, "returned a block").said);
      return false;
    }
    this.allowed = false;
    said.add("block");
    if (output.continue === false && output.stop_reason) this.messages.push(output.stop_reason);
    if (output.decision === "block" && output.reason) this.messages.push(output.reason);
    return true;
  }

  /** True if the verdict is a denial. */
  private addVerdict(hook: PlannedHook, output: HookOutput, said: Set<Said>): boolean {
    const { event, contract, rules } = this.given;
    const specific = output.hook_specific_output;
    const verdict = decisionOf(specific?.permission_decision);
    const reason = specific?.permission_decision_reason ?? "";
    if (!verdict || (verdict === "allow" && hook.cannotAllow)) return false;
    if (!contract.decides && !contract.approves) {
      if (!rules.reportsStrayVerdict) return false;
      const text = `${event} hook "${hook.name}" returned permission_decision, but this event does not support approval decisions`;
      this.say(said, "message", this.systemMessages, text);
      return false;
    }
    if (contract.decides && isStricter(verdict, this.decision)) {
      this.decision = verdict;
      this.decisionReason = reason;
    }
    if (contract.decides || verdict !== "ask") said.add(verdict);
    if (contract.approves && verdict === "allow") {
      this.permissionAllowed = true;
      this.decisionReason ||= reason;
    }
    if (verdict !== "deny") return false;
    this.allowed = false;
    if (reason !== "") this.messages.push(reason);
    return true;
  }

  private addRewrite({ handler }: PlannedHook, output: HookOutput, said: Set<Said>): void {
    const rewrite = rewriteIn(output, this.given.contract.rewrites);
    if (!rewrite) return;
    said.add("rewrite");
    if (rewrite.modified_input && !("run" in handler && handler.patchesArguments)) this.replacesArguments = true;
    this.rewritten = sideBySide(this.rewritten, rewrite);
  }

  /** A runtime replaces all arguments with the rewritten ones, so a patch is completed with the unchanged arguments. */
  private whole(): Rewritten {
    const { modified_input } = this.rewritten;
    if (!modified_input || this.replacesArguments) return this.rewritten;
    return { ...this.rewritten, modified_input: { ...this.given.arguments, ...modified_input } };
  }

  private addFacts(output: HookOutput, said: Set<Said>): void {
    const { contract } = this.given;
    const specific = output.hook_specific_output;
    if (contract.suppliesSummary && specific?.summary) {
      this.summary ||= specific.summary;
      said.add("summary");
    }
    const facts = Object.entries(specific?.metadata ?? {});
    if (contract.addsMetadata && facts.length > 0) {
      const texts = Object.fromEntries(facts.map(([key, value]) => [key, value ?? ""]));
      this.metadata = { ...this.metadata, ...texts };
      said.add("metadata");
    }
    if (contract.addsContext && specific?.additional_context) {
      this.say(said, "context", this.contexts, specific.additional_context);
    }
  }

  private cannotBlock(hook: PlannedHook, what: string): Contribution {
    this.systemMessages.push(`${this.given.event} hook "${hook.name}" ${what}, but this event cannot block`);
    return { said: "message", blocked: false };
  }

  private say(said: Set<Said>, word: Said, entries: string[], text: string): void {
    entries.push(text);
    said.add(word);
  }
}

const NOTHING: Contribution = { said: "nothing", blocked: false };
