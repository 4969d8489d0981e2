import { Verdict } from "@/components/decisions/columns";
import { PolicyLink } from "@/components/decisions/hook-list";
import { decidingHook, deedOf, ignoredVerdict, whyOf } from "@/components/decisions/why";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { Notice } from "@/components/ui/notice";
import { toneLook } from "@/components/ui/tone";
import type { DecisionDetail } from "@/server/decisions/schema";
import { verdictWords } from "@/server/decisions/schema";

/** The verdict and why it is what it is: the hook by name with its policy and place, else the source in words. */
export function VerdictCard({ detail }: { detail: DecisionDetail }) {
  const { tone } = verdictWords(detail.verdict);
  const hook = decidingHook(detail.verdict, detail.hooks);
  const { sentence, note } = whyOf(detail);
  const disobeyed = ignoredVerdict(detail);
  const others = detail.hooks.filter((each) => each !== hook && ["deny", "block"].includes(each.said)).length;
  return (
    <section
      aria-label="Verdict"
      className={cn("flex flex-col gap-2 rounded-md border p-4", toneLook[tone].tag, "text-text")}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Verdict verdict={detail.verdict} look="large" />
        <Badge look="outline">{detail.kind === "gate" ? "by a gate here" : "final, at the agent"}</Badge>
      </div>
      {hook ? (
        <p>
          <strong className="font-semibold">{hook.name}</strong> {deedOf(hook)}
          {others > 0 ? `, and ${others} more did` : ""}. It is in <PolicyLink hook={hook} /> at{" "}
          <code className="break-all">{hook.path}</code>.
        </p>
      ) : (
        <p>{sentence}</p>
      )}
      {detail.answeredReason === "" ? null : (
        <figure>
          <figcaption className="text-muted text-sm">What the agent was told</figcaption>
          <blockquote className="mt-1 max-h-40 overflow-y-auto whitespace-pre-wrap break-words border-line-strong border-l-2 pl-3">
            {detail.answeredReason}
          </blockquote>
        </figure>
      )}
      {disobeyed === null ? null : <Notice kind="danger">{disobeyed}</Notice>}
      {note === null ? null : <p className="text-muted text-sm">{note}</p>}
    </section>
  );
}
