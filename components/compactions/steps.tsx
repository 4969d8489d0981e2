import { EventTitle } from "@/components/layout/event-title";
import { HookPlace } from "@/components/layout/hook-place";
import { CodeBlock } from "@/components/ui/code/code-block";
import { formatDuration } from "@/components/ui/format/duration";
import { ExactTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";
import type { AttemptDetailView, CompactionHookView, CompactionStepView } from "@/server/compactions/schema";

const EVENTS: Readonly<Record<string, string>> = {
  pre_compact: "The compaction has not started yet. Hooks can block the compaction or add to the summary prompt.",
  before_compaction:
    "The compaction is about to run, and the context size is known. Hooks can block the compaction or supply the summary.",
  after_compaction: "The summary replaced the context. Hooks run for this event but change nothing.",
};
const EFFECTS: Readonly<Record<string, { tone: Tone; label: string }>> = {
  nothing: { tone: "canceled", label: "Continued" },
  vetoed: { tone: "deny", label: "Blocked" },
  replaced: { tone: "observe", label: "Summary replaced" },
  steered: { tone: "observe", label: "Prompt guided" },
  applied: { tone: "allow", label: "Applied" },
};

/**
 * The three events of an attempt in order, each with the hooks that ran; an event that was not reported is marked as
 * missing.
 */
export function Steps({ detail }: { detail: AttemptDetailView }) {
  const names = Object.keys(EVENTS);
  const last = names.findLastIndex((name) => detail.events.includes(name));
  return (
    <ol className="flex flex-col gap-2">
      {names.map((name, index) => {
        const step = detail.steps.find((each) => each.event === name);
        if (step) return <Step key={name} step={step} isFirst={step === detail.steps[0]} beganAt={detail.occurredAt} />;
        const why =
          index < last
            ? "not reported: the agent has no hook for it"
            : detail.outcome === "vetoed"
              ? "did not happen"
              : "not reported";
        return (
          <li key={name} className="rounded-md border border-dashed px-3 py-2 text-faint">
            <EventTitle event={name} /> {why}
          </li>
        );
      })}
    </ol>
  );
}

function Step({ step, isFirst, beganAt }: { step: CompactionStepView; isFirst: boolean; beganAt: Date }) {
  const effect = EFFECTS[step.effect] ?? { tone: "unknown" as const, label: step.effect };
  const afterMs = step.occurredAt.getTime() - beganAt.getTime();
  return (
    <li className="overflow-hidden rounded-md border">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
        <EventTitle event={step.event} className="font-semibold" />
        <Mark tone={effect.tone} label={effect.label} />
        <span className="ml-auto text-muted text-sm">
          {isFirst ? <ExactTime at={step.occurredAt} /> : `+ ${formatDuration(afterMs)}`}
        </span>
        <p className="basis-full text-faint text-sm">{EVENTS[step.event]}</p>
      </div>
      {step.hooks.length === 0 ? (
        <p className="border-line border-t px-3 py-2 text-muted text-sm">
          {step.origin === "report"
            ? "The agent reported the event after it happened, so no hook ran."
            : "No policy hook applied."}
        </p>
      ) : (
        <ul>
          {step.hooks.map((hook) => (
            <Hook key={`${hook.policy} ${hook.path}`} hook={hook} />
          ))}
        </ul>
      )}
    </li>
  );
}

const SAID: Readonly<Record<string, { tone: Tone; label: string }>> = {
  block: { tone: "deny", label: "Blocked" },
  deny: { tone: "deny", label: "Blocked" },
  summary: { tone: "observe", label: "Supplied the summary" },
  context: { tone: "observe", label: "Guided the prompt" },
  message: { tone: "observe", label: "Left a message" },
  failed: { tone: "error", label: "Failed" },
  nothing: { tone: "unknown", label: "No decision" },
};

function Hook({ hook }: { hook: CompactionHookView }) {
  const said = hook.outcome === "failed" ? SAID.failed : SAID[hook.said];
  const output = [hook.stdout, hook.stderr].map((text) => text.trim()).filter((text) => text !== "");
  return (
    <li className="flex flex-col gap-1.5 border-line border-t px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-0 truncate font-medium">{hook.name}</span>
        <Mark tone={said?.tone ?? "unknown"} label={said?.label ?? hook.said} />
        <span className="ml-auto text-muted text-sm">{formatDuration(hook.durationMs)}</span>
      </div>
      <p className="text-muted text-sm">
        {hook.policy} revision {hook.revision} · <HookPlace path={hook.path} />
        {hook.exitCode === null ? "" : ` · exit code ${hook.exitCode}`}
      </p>
      {hook.failure === null ? null : <p className="text-error text-sm">{hook.failure}</p>}
      {output.length === 0 ? null : (
        <details>
          <summary className="text-faint text-xs">Output</summary>
          <div className="mt-1">
            <CodeBlock code={output.join("\n")} label={`output of ${hook.name}`} numbers={false} wrap maxHeight={240} />
          </div>
        </details>
      )}
    </li>
  );
}
