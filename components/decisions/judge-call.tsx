import { VERDICT_CACHE } from "@quarterdeck/hooks/contract/judge";
import type { DetailHook } from "@/components/decisions/why";
import { CodeBlock } from "@/components/ui/code/code-block";
import { formatCount, plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { Missing } from "@/components/ui/format/missing";
import { Money } from "@/components/ui/format/money";
import { causeWords, wasSent } from "@/server/judges/schema";

type Judge = NonNullable<DetailHook["judge"]>;

/** A hook's question to a model and the reply: the texts, the cost and time, and the reason for a missing answer. */
export function JudgeCall({ judge }: { judge: Judge }) {
  const { cause, prompt, reply, usage, latencyMs, answeredBy, evaluator, skipped } = judge;
  const words = cause === undefined ? null : causeWords(cause);
  return (
    <section
      aria-label={evaluator === undefined ? "Question to a model" : `Question to the evaluator ${evaluator}`}
      className="flex flex-col gap-2 pt-1"
    >
      {words === null ? null : (
        <p className="text-sm">
          <span className="font-medium text-error">{capital(words.label)}.</span>{" "}
          <span className="text-muted">{words.says}</span>
        </p>
      )}
      <p className="text-muted text-sm">
        {sentWords(judge)} <code className="break-all">{judge.model}</code>
        {answeredBy === undefined || judge.model.endsWith(answeredBy) ? null : (
          <>
            {" "}
            (<code>{answeredBy}</code> answered)
          </>
        )}
        {skipped === undefined ? null : (
          <>
            {" "}
            · <code>{skipped.provider}</code> did not answer ({causeWords(skipped.cause).label}),{" "}
            <code>{judge.provider}</code> was asked
          </>
        )}
        {usage === undefined ? null : (
          <>
            {" "}
            · {plural(usage.inputTokens + (usage.cachedInputTokens ?? 0) + (usage.cacheWriteTokens ?? 0), "token")} in,{" "}
            {formatCount(usage.outputTokens)} out
          </>
        )}
        {" · "}
        <JudgeCost judge={judge} />
        {latencyMs === undefined ? null : ` · ${formatDuration(latencyMs)}`}
      </p>
      {prompt === undefined ? null : <Words label="prompt" text={prompt} />}
      {reply === undefined ? null : <Words label="reply" text={reply} />}
    </section>
  );
}

function sentWords({ cause, provider }: Judge): string {
  if (provider === VERDICT_CACHE) return "verdict reused from an equal call, asked before of";
  return wasSent(cause, provider) ? "asked" : "not sent to";
}

function JudgeCost({ judge: { costNano } }: { judge: Judge }) {
  if (costNano === undefined)
    return <Missing reason="The model sent no answer, so the cost is unknown. The provider may still bill the call." />;
  return (
    <Money
      nano={costNano}
      zeroIsFree
      reason="The connection has no price for this model, or the provider reported no usage."
    />
  );
}

function Words({ label, text }: { label: string; text: string }) {
  return (
    <div className="flex flex-col gap-1">
      <span className="text-faint text-xs">{label}</span>
      {text.trim() === "" ? (
        <p className="text-muted text-sm">An empty text.</p>
      ) : (
        <CodeBlock code={text} label={label} numbers={false} wrap maxHeight={240} />
      )}
    </div>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
