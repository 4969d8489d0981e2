"use client";

import { allowingGateOf, GATE_ALLOWS_ON_FAILURE } from "@quarterdeck/hooks/contract/lint/allowing-gate";
import { NEWEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import type { TextFinding } from "@quarterdeck/hooks/contract/text/text-problems";
import { ruleHref } from "@/components/policies/check/severity-labels";
import { toleratedText } from "@/components/policies/check/tolerated-text";
import { Button } from "@/components/ui/button";
import { plural } from "@/components/ui/format/count";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import type { ToleratedFailuresView } from "@/server/decisions/rules/tolerated-failures-schema";

interface GateFailureNoticeProps {
  findings: readonly Pick<TextFinding, "rule" | "message">[];
  /** The gates in force, with how often they failed; undefined while that is not known. */
  failures: ToleratedFailuresView | undefined;
  /** Makes a draft in the newest profile and shows what changes; null where the reader may not edit the policy. */
  onMove: (() => void) | null;
}

const SHOWN_MAX = 5;

/** The gates that allow when their command fails, how often that happened, and the move to the profile in which they deny. */
export function GateFailureNotice({ findings, failures, onMove }: GateFailureNoticeProps) {
  const gates = findings.flatMap(({ rule, message }) =>
    rule === GATE_ALLOWS_ON_FAILURE ? [allowingGateOf(message)] : [],
  );
  const isOfDraft = gates.length > 0;
  const shown = isOfDraft ? gates : (failures?.gates ?? []).map(({ gate }) => gate);
  if (shown.length === 0) return null;
  const more = shown.length - SHOWN_MAX;
  return (
    <Notice
      kind="warning"
      className="mx-4 mt-2 items-start md:mx-6"
      action={
        onMove === null ? undefined : (
          <Button size="sm" onClick={onMove}>
            {isOfDraft ? `Move the draft to profile ${NEWEST_PROFILE}…` : "Review the move…"}
          </Button>
        )
      }
    >
      <p>
        {plural(shown.length, "gate")} of {isOfDraft ? "this draft" : "the revision in force"}{" "}
        {shown.length === 1 ? "allows" : "allow"} the call when the hook fails: a missing program, an exit code other
        than 0 and 2, or output that cannot be read. In profile {NEWEST_PROFILE} each failure denies.{" "}
        {isOfDraft ? null : `The draft already uses profile ${NEWEST_PROFILE}. Publish the draft. `}
        <Link className="link" href={ruleHref(GATE_ALLOWS_ON_FAILURE)}>
          About this rule
        </Link>
      </p>
      <ul className="mt-1 list-disc pl-4">
        {shown.slice(0, SHOWN_MAX).map((gate, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two gates may have one name
          <GateLine key={`${at} ${gate}`} gate={gate} failures={failures} />
        ))}
        {more > 0 ? <li>and {more} more</li> : null}
      </ul>
    </Notice>
  );
}

function GateLine({ gate, failures }: { gate: string; failures: ToleratedFailuresView | undefined }) {
  const often = toleratedText(failures, gate);
  return (
    <li className="break-words">
      {gate}
      {often === null ? null : `: ${often}`}
    </li>
  );
}
