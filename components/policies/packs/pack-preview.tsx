"use client";

import { PermittedButton } from "@/components/access/permitted-button";
import { packImpactText } from "@/components/policies/review/impact-text";
import { useImpact } from "@/components/policies/review/use-impact";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { Mark } from "@/components/ui/mark";
import { Spinner } from "@/components/ui/spinner";

/** The effect that the pack would have had on the last 24 hours. Measured when asked for: it runs the pack's hooks. */
export function PackPreview({ packId, title }: { packId: string; title: string }) {
  const { impact, start, cancel } = useImpact();
  if (impact.phase === "idle")
    return (
      <PermittedButton
        to="policy:write"
        size="sm"
        place="self-start"
        onClick={() => start({ packId })}
        aria-label={`Preview on the last 24 h: ${title}`}
      >
        Preview on the last 24 h
      </PermittedButton>
    );
  if (impact.phase === "failed") return <ErrorLine>{impact.failure}</ErrorLine>;
  if (impact.phase === "running")
    return (
      <p role="status" className="flex flex-wrap items-center gap-2 text-sm">
        <Spinner /> {impact.of === 0 ? "Searching recorded calls…" : `${impact.done} of ${impact.of} calls tried`}
        <Button size="sm" variant="ghost" onClick={cancel}>
          Stop
        </Button>
      </p>
    );
  const { text, isKnown } = packImpactText(impact.view);
  return (
    <p role="status" className="flex flex-wrap items-center gap-2 text-sm">
      {isKnown ? null : <Mark tone="unknown" label="unknown" />}
      <span>{text}</span>
    </p>
  );
}
