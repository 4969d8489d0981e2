import { Fragment, type ReactNode } from "react";
import { Verdict } from "@/components/decisions/columns";
import { PolicyLink } from "@/components/decisions/hook-list";
import { decidingReason, findHooksInText } from "@/components/decisions/sent-words";
import { type DetailHook, decidingHook, hookActionText, ignoredVerdict, whyOf } from "@/components/decisions/why";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { toneLook } from "@/components/ui/tone";
import { ruleKeyText } from "@/server/decisions/rules/schema";
import type { DecisionDetail } from "@/server/decisions/schema";
import { verdictWords } from "@/server/decisions/schema";

/** The verdict and its origin: the hook's name, policy and position, or else the source in words. */
export function VerdictCard({ detail }: { detail: DecisionDetail }) {
  const { tone } = verdictWords(detail.verdict);
  const hook = decidingHook(detail.verdict, detail.hooks);
  const { sentence, note } = whyOf(detail);
  const words = hook ? decidingReason(detail, hook) : null;
  const disobeyed = ignoredVerdict(detail);
  const others = detail.hooks.filter((each) => each !== hook && ["deny", "block"].includes(each.said)).length;
  return (
    <section
      aria-label="Verdict"
      className={cn("flex flex-col gap-2 rounded-md border p-4", toneLook[tone].tag, "text-text")}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Verdict verdict={detail.verdict} look="large" />
        <Badge look="outline">{detail.kind === "gate" ? "Policy decision" : "Final decision (agent)"}</Badge>
      </div>
      {hook ? (
        <p>
          <RuleLink hook={hook} event={detail.event} /> {hookActionText(hook)}
          {others > 0 ? `, and ${others} more did` : ""}. It is in <PolicyLink hook={hook} />.
        </p>
      ) : (
        <p>{sentence}</p>
      )}
      {words === null ? null : <Words caption={BECAUSE[detail.verdict] ?? "Because"} text={words} />}
      {detail.sentReasons.map((sent, index) => (
        <Sent key={sent.field} detail={detail} sent={sent} isRead={index === 0} isSame={sent.text.trim() === words} />
      ))}
      {disobeyed === null ? null : <Notice kind="danger">{disobeyed}</Notice>}
      {note === null ? null : <p className="text-muted text-sm">{note}</p>}
    </section>
  );
}

const BECAUSE: Readonly<Record<string, string>> = {
  deny: "Denied because",
  ask: "Asked because",
  allow: "Allowed because",
};

/** The rule's name; its figures and outcomes open behind it. */
function RuleLink({ hook, event }: { hook: DetailHook; event: string }) {
  const rule = ruleKeyText({ policy: hook.policy, event, hook: hook.name });
  return (
    <Link className="link font-semibold text-text" href={`/policies/performance?open=${encodeURIComponent(rule)}`}>
      {hook.name}
    </Link>
  );
}

function Words({ caption, text }: { caption: ReactNode; text: string }) {
  return (
    <figure>
      <figcaption className="text-muted text-sm">{caption}</figcaption>
      <blockquote className="mt-1 max-h-40 overflow-y-auto whitespace-pre-wrap break-words border-line-strong border-l-2 pl-3">
        {text}
      </blockquote>
    </figure>
  );
}

interface SentProps {
  detail: DecisionDetail;
  sent: DecisionDetail["sentReasons"][number];
  /** The first is read; a runtime that refuses reads no further. */
  isRead: boolean;
  isSame: boolean;
}

/** A reason in the answer and the rules it comes from. */
function Sent({ detail, sent, isRead, isSame }: SentProps) {
  const hooks = findHooksInText(sent.text, detail.hooks);
  if (isRead && isSame) return <p className="text-muted text-sm">The agent received exactly the text above.</p>;
  return (
    <Words
      caption={
        <>
          {isRead ? "Reason sent to the agent" : "Also sent, but the agent does not use it because the call was denied"}
          {hooks.map((hook, index) => (
            <Fragment key={`${hook.policy} ${hook.path}`}>
              {index === 0 ? ", from " : " and "}
              <RuleLink hook={hook} event={detail.event} />
            </Fragment>
          ))}
        </>
      }
      text={sent.text}
    />
  );
}
