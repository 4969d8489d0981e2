import { Fragment, type ReactNode } from "react";
import { cn } from "@/components/ui/cn";

export interface KeyValueProps {
  /** In order; an entry with `value: undefined` is omitted, one without a value shows `Missing`. */
  items: readonly { label: ReactNode; value: ReactNode | undefined; mono?: boolean }[];
  className?: string;
}

/** Facts about one record, with the labels in a separate column. */
export function KeyValue({ items, className }: KeyValueProps) {
  return (
    <dl className={cn("grid grid-cols-[minmax(96px,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1.5", className)}>
      {items.map(({ label, value, mono }, index) =>
        value === undefined ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: facts have no identity but their place
          <Fragment key={index}>
            <dt className="text-muted">{label}</dt>
            <dd className={cn("min-w-0 break-words", mono && "font-mono text-sm leading-5")}>{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}
