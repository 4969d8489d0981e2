import { JudgeCall } from "@/components/decisions/judge-call";
import { JudgedBy } from "@/components/decisions/judged-by";
import type { DetailHook } from "@/components/decisions/why";
import { HookPlace } from "@/components/layout/hook-place";
import type { ShownCall } from "@/components/tool-call/read-call";
import { RecordedRules } from "@/components/tool-call/recorded-rules";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { CodeBlock } from "@/components/ui/code/code-block";
import { formatDuration } from "@/components/ui/format/duration";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { toneLook } from "@/components/ui/tone";
import { hookWords } from "@/server/decisions/schema";

export interface HookListProps {
  hooks: readonly DetailHook[];
  /** The one the verdict is from. */
  deciding: DetailHook | null;
  /** The call that they ran for; null when it cannot be read. */
  call: ShownCall | null;
  agent: string;
  /** The dispatch that they ran in. */
  of: { readonly occurredAt: Date; readonly id: string; readonly event: string };
}

/** Every hook that ran, in order, each with its stretch of the dispatch's time, its outcome and its output. */
export function HookList({ hooks, deciding, call, agent, of }: HookListProps) {
  const endMs = Math.max(...hooks.map((hook) => hook.startedMs + hook.durationMs), 0.001);
  return (
    <ol className="flex flex-col overflow-hidden rounded-md border">
      {hooks.map((hook, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: hooks are told apart by their place, which is the order they ran in
          key={index}
          className={cn(
            "flex flex-col gap-1.5 border-line px-3 py-2.5 not-first:border-t",
            hook === deciding && "bg-selected",
          )}
        >
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="text-faint">{index + 1}</span>
            <span className="min-w-0 truncate font-medium">{hook.name}</span>
            <Mark {...hookWords(hook)} />
            {hook === deciding ? <Badge look="accent">decided</Badge> : null}
            <span className="ml-auto text-muted text-sm">{formatDuration(hook.durationMs)}</span>
          </div>
          <Bar hook={hook} endMs={endMs} />
          <p className="text-muted text-sm">
            {hook.type}
            {hook.ranOn === "agent" ? " · on the agent's machine" : ""}
            {hook.exitCode === undefined ? "" : ` · exit code ${hook.exitCode}`} · <PolicyLink hook={hook} /> ·{" "}
            <HookPlace path={hook.path} />
          </p>
          {hook.exception ? (
            <p className="text-muted text-sm">
              The hook {hook.lifted === "deny" ? "denied the call" : "asked a person"}, but an exception lifted that
              verdict.{" "}
              <Link className="link" href="/approvals/exceptions">
                Exceptions
              </Link>
            </p>
          ) : null}
          {hook.failure ? <p className="text-error text-sm">{hook.failure}</p> : null}
          {hook.type === "rules" && call !== null ? <RecordedRules hook={hook} call={call} agent={agent} /> : null}
          {hook.judge ? (
            <>
              <JudgeCall judge={hook.judge} />
              {hook === deciding ? null : <JudgedBy of={of} hook={hook} place={index} hasKeys={false} />}
            </>
          ) : null}
          {hook.stdout.trim() === "" ? null : <Output label="stdout" text={hook.stdout} />}
          {hook.stderr.trim() === "" ? null : <Output label="stderr" text={hook.stderr} />}
        </li>
      ))}
    </ol>
  );
}

/** The policy and revision a hook came from, linked while the policy exists under that name. */
export function PolicyLink({ hook }: { hook: DetailHook }) {
  if (hook.policy === "") return <span>the agent's command line</span>;
  const words = `${hook.policy} revision ${hook.revision}`;
  return hook.policyId === null ? (
    <span>{words}</span>
  ) : (
    <Link className="link" href={`/policies/${hook.policyId}?revision=${hook.revision}`}>
      {words}
    </Link>
  );
}

/** When it ran within the dispatch. */
function Bar({ hook, endMs }: { hook: DetailHook; endMs: number }) {
  const left = (hook.startedMs / endMs) * 100;
  return (
    <div aria-hidden className="relative h-1 rounded-full bg-pressed">
      <span
        className={cn("absolute inset-y-0 min-w-0.5 rounded-full", toneLook[hookWords(hook).tone].solid)}
        style={{ left: `${left}%`, width: `${Math.max((hook.durationMs / endMs) * 100, 0.5)}%` }}
      />
    </div>
  );
}

const LINES_OPEN = 4;

function Output({ label, text }: { label: string; text: string }) {
  const lines = text.trimEnd().split("\n").length;
  const block = <CodeBlock code={text} label={label} numbers={false} wrap maxHeight={240} />;
  if (lines <= LINES_OPEN)
    return (
      <div className="flex flex-col gap-1">
        <span className="text-faint text-xs">{label}</span>
        {block}
      </div>
    );
  return (
    <details>
      <summary className="text-faint text-xs">
        {label}, {lines} lines
      </summary>
      <div className="mt-1">{block}</div>
    </details>
  );
}
