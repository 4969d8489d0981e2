import { fullness } from "@/components/compactions/labels";
import { cn } from "@/components/ui/cn";
import { formatCount, formatTokens } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { Tooltip } from "@/components/ui/tooltip";
import type { AttemptView } from "@/server/compactions/schema";

/** The fullness of the context: tokens before, relative to the limit, as text and as a bar. */
export function FullnessBar({ attempt, wide }: { attempt: AttemptView; wide?: boolean }) {
  const { tokensBefore, contextLimit, inputTokens, outputTokens } = attempt;
  if (tokensBefore === null) return <Missing reason="This attempt reported no token counts." />;
  const share = fullness(attempt);
  const words = `${formatCount(inputTokens ?? 0n)} in + ${formatCount(outputTokens ?? 0n)} out = ${formatCount(tokensBefore)} tokens`;
  const limit = contextLimit === null ? "limit not known" : `limit ${formatCount(contextLimit)}`;
  return (
    <Tooltip content={`${words}\n${limit}`}>
      <span className={cn("flex items-center gap-1.5", wide ? "w-full" : "max-w-56")}>
        <span className={cn("shrink-0", wide ? "" : "w-12 sm:text-right")}>{formatTokens(tokensBefore)}</span>
        <span aria-hidden className="relative h-1.5 min-w-6 flex-1 overflow-hidden rounded-full bg-pressed">
          {share === null ? null : (
            <span
              className={cn("absolute inset-y-0 left-0 rounded-full", share > 1 ? "bg-error-solid" : "bg-series-1")}
              style={{ width: `${Math.min(share, 1) * 100}%` }}
            />
          )}
        </span>
        <span className="w-10 shrink-0 whitespace-nowrap text-muted">
          {share === null ? "" : `${Math.round(share * 100)} %`}
        </span>
      </span>
    </Tooltip>
  );
}
