import { Fragment, type ReactNode } from "react";
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";

/** One thing that waits for a person. */
export interface WaitingItem {
  readonly id: string;
  /** A `WaitingRow`. */
  readonly row: ReactNode;
  /** The number of things in the row; 1 if absent. */
  readonly count?: number;
}

/** Things of one kind that wait for the reader. */
export interface WaitingSource {
  /** The things, in the plural: "calls". */
  readonly label: string;
  /** Undefined while they load for the first time. */
  readonly items: readonly WaitingItem[] | undefined;
  /** Rows about things of this kind that wait for other people; they are not counted. */
  readonly others?: ReactNode;
  /** The reason why they could not be loaded. */
  readonly failure: string | null;
  readonly onRetry: () => void;
}

/** The source for a reader who cannot act on its things: they wait for other people. */
export function forOthers(source: WaitingSource): WaitingSource {
  if (!source.items || source.items.length === 0) return source;
  const others = source.items.map(({ id, row }) => <Fragment key={id}>{row}</Fragment>);
  return { ...source, items: [], others };
}

export interface WaitingRowProps {
  tone: Tone;
  /** Its state, next to the icon. */
  word: string;
  /** The sentence. */
  children: ReactNode;
  /** Right of the sentence: the time that is left. */
  aside?: ReactNode;
  actions?: ReactNode;
  /** Below everything else: a form. */
  below?: ReactNode;
  label?: string;
}

/** A sentence with its state, its time and its buttons. */
export function WaitingRow({ tone, word, children, aside, actions, below, label }: WaitingRowProps) {
  return (
    <li
      aria-label={label}
      className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1.5 border-line px-4 py-2 not-first:border-t"
    >
      <Mark tone={tone} label={word} look="plain" className="shrink-0 sm:w-28" />
      <div className="wrap-anywhere min-w-0 flex-1 max-sm:basis-full sm:basis-64">{children}</div>
      {aside ? <span className="shrink-0 text-muted text-sm tabular-nums">{aside}</span> : null}
      {actions ? <div className="flex shrink-0 flex-wrap items-center gap-2">{actions}</div> : null}
      {below ? <div className="basis-full">{below}</div> : null}
    </li>
  );
}
