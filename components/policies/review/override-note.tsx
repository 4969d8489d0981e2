import { counted } from "@/components/policies/labels";
import { RelativeTime } from "@/components/ui/format/relative-time";
import type { OverrideView } from "@/server/policies/schema";

/** An override of findings that block a revision: the findings, who made it, and the reason. */
export function OverrideNote({ override }: { override: OverrideView }) {
  const { number, reason, by, at, findings } = override;
  return (
    <div className="flex flex-col gap-0.5 text-sm [overflow-wrap:anywhere]">
      <p className="text-ask">
        Revision {number} took effect despite {counted(findings.length, "finding")}. {by} overrode{" "}
        {findings.length === 1 ? "it" : "them"} <RelativeTime at={at} />: {reason}
      </p>
      <ul className="list-disc pl-4 text-muted">
        {findings.map(({ rule, path, message }) => (
          <li key={`${rule} ${path} ${message}`}>
            <code>{rule}</code>: {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
