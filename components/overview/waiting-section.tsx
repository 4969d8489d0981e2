"use client";

import { Check } from "lucide-react";
import { type FocusEvent, Fragment, type PointerEvent, useState } from "react";
import { useStaleSentence } from "@/components/layout/connection-state";
import { type WaitingItem, WaitingRow, type WaitingSource } from "@/components/layout/waiting/waiting-row";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/format/count";
import { Section } from "@/components/ui/section";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import { holdBack } from "@/components/ui/table/hold-rows";

/**
 * Everything that waits for the reader, each thing once. It says that nothing waits only when every part was loaded and
 * updates arrive.
 */
export function WaitingSection({ sources }: { sources: readonly WaitingSource[] }) {
  const all = sources.flatMap((source) => source.items ?? []);
  const { items, waiting, release, handlers } = useHeldItems(all);
  const isStale = useStaleSentence() !== null;
  const failed = sources.filter(({ failure }) => failure !== null);
  const isLoading = sources.some((source) => source.items === undefined && source.failure === null);
  const count = all.reduce((sum, item) => sum + (item.count ?? 1), 0);
  const others = sources.flatMap(({ label, others: row }) => (row ? [<Fragment key={label}>{row}</Fragment>] : []));
  return (
    <Section title="Waiting for you" aside={count > 0 ? formatCount(count) : null} framed flush>
      {items.length === 0 && failed.length === 0 ? (
        <div className="flex min-h-11 items-center gap-2 px-4 py-2 text-muted">
          {isLoading ? (
            <Loading label="items waiting for you">
              <Skeleton className="h-3 w-60" />
            </Loading>
          ) : isStale ? (
            "Nothing waited for you at the last update"
          ) : (
            <>
              <Check aria-hidden className="size-3.5 text-allow" strokeWidth={2.5} /> Nothing waits for you
            </>
          )}
        </div>
      ) : (
        <ul aria-label="Waiting for you" {...handlers}>
          {failed.map((source) => (
            <FailedSource key={source.label} source={source} />
          ))}
          {items.map(({ id, row }) => (
            <Fragment key={id}>{row}</Fragment>
          ))}
        </ul>
      )}
      {waiting > 0 ? (
        <div className="border-line border-t px-4 py-2">
          <Button size="sm" onClick={release}>
            Show {formatCount(waiting)} new
          </Button>
        </div>
      ) : null}
      {others.length > 0 ? (
        <>
          <p aria-hidden className="border-line border-t px-4 pt-2 text-muted text-sm">
            Waiting for other people
          </p>
          <ul aria-label="Waiting for other people">{others}</ul>
        </>
      ) : null}
    </Section>
  );
}

/** The rows; new ones wait while the pointer or the focus is in the list, so that no button moves. */
function useHeldItems(all: readonly WaitingItem[]) {
  const [held, setHeld] = useState<readonly string[] | null>(null);
  const { shown, waiting } = holdBack(all, ({ id }) => id, held);
  const hold = () => setHeld((ids) => ids ?? all.map(({ id }) => id));
  const release = () => setHeld(null);
  const handlers = {
    onPointerEnter: hold,
    onPointerLeave: ({ currentTarget }: PointerEvent<HTMLElement>) =>
      currentTarget.contains(document.activeElement) ? undefined : release(),
    onFocus: hold,
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) =>
      currentTarget.contains(relatedTarget) || currentTarget.matches(":hover") ? undefined : release(),
  };
  return { items: shown, waiting, release, handlers };
}

function FailedSource({ source: { label, items, failure, onRetry } }: { source: WaitingSource }) {
  return (
    <WaitingRow tone="error" word="Failed" actions={<Button onClick={onRetry}>Try again</Button>}>
      {items === undefined ? `The pending ${label} could not be loaded.` : `The ${label} below may be out of date.`}{" "}
      <span className="text-muted">{failure}</span>
    </WaitingRow>
  );
}
