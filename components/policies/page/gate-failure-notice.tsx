"use client";

import { allowingGateOf, GATE_ALLOWS_ON_FAILURE } from "@quarterdeck/hooks/contract/lint/allowing-gate";
import { NEWEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import type { TextFinding } from "@quarterdeck/hooks/contract/text/text-problems";
import { ruleHref } from "@/components/policies/check/severity-labels";
import { Button } from "@/components/ui/button";
import { plural } from "@/components/ui/format/count";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";

interface GateFailureNoticeProps {
  findings: readonly Pick<TextFinding, "rule" | "message">[];
  /** Writes the profile into the text; null where the reader may not edit it. */
  onNewestProfile: (() => void) | null;
}

const SHOWN_MAX = 5;

/** The gates of a text that allow when their command fails, and the profile in which they deny. */
export function GateFailureNotice({ findings, onNewestProfile }: GateFailureNoticeProps) {
  const gates = findings.flatMap(({ rule, message }) =>
    rule === GATE_ALLOWS_ON_FAILURE ? [allowingGateOf(message)] : [],
  );
  if (gates.length === 0) return null;
  const more = gates.length - SHOWN_MAX;
  return (
    <Notice
      kind="warning"
      className="mx-4 mt-2 md:mx-6"
      action={
        onNewestProfile === null ? undefined : (
          <Button size="sm" onClick={onNewestProfile}>
            Write profile {NEWEST_PROFILE}
          </Button>
        )
      }
    >
      <p>
        {plural(gates.length, "gate")} of this text {gates.length === 1 ? "allows" : "allow"} the call when the hook
        fails: a missing program, an exit code other than 0 and 2, or output that cannot be read. In profile{" "}
        {NEWEST_PROFILE} each failure denies.{" "}
        <Link className="link" href={ruleHref(GATE_ALLOWS_ON_FAILURE)}>
          About this rule
        </Link>
      </p>
      <ul className="mt-1 list-disc pl-4">
        {gates.slice(0, SHOWN_MAX).map((gate, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two gates may have one name
          <li key={`${at} ${gate}`} className="break-words">
            {gate}
          </li>
        ))}
        {more > 0 ? <li>and {more} more</li> : null}
      </ul>
    </Notice>
  );
}
