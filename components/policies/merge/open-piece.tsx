"use client";

import { CHOICES, type Choice, type OpenPiece as Piece } from "@/components/layout/draft/three-way";
import { cn } from "@/components/ui/cn";
import { Segmented } from "@/components/ui/segmented";

const labels = { mine: "Mine", theirs: "Theirs", both: "Both" } as const;

/** One place that two people wrote differently, side by side, and which of it is kept. */
export function OpenPiece({
  piece,
  number,
  of,
  choice,
  onChoose,
}: {
  piece: Piece;
  number: number;
  of: number;
  choice: Choice | null;
  onChoose: (choice: Choice) => void;
}) {
  const name = `Conflict ${number} of ${of}`;
  return (
    <section aria-label={name} className="flex flex-col gap-2 rounded-md border p-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="text-sm">
          {name} <span className="font-normal text-muted">line {piece.mineLine} of your draft</span>
        </h3>
        <Segmented<Choice | "open">
          label={`${name}: what to keep`}
          value={choice ?? "open"}
          onChange={(next) => next !== "open" && onChoose(next)}
          options={CHOICES.map((value) => ({
            value,
            label: labels[value],
            name: `${labels[value]}, conflict ${number}`,
          }))}
          className="ml-auto"
        />
      </div>
      <div className="grid gap-2 md:grid-cols-2">
        <Side title="Yours" lines={piece.mine} isKept={choice === "mine" || choice === "both"} />
        <Side title="Theirs" lines={piece.theirs} isKept={choice === "theirs" || choice === "both"} />
      </div>
    </section>
  );
}

function Side({ title, lines, isKept }: { title: string; lines: readonly string[]; isKept: boolean }) {
  return (
    <figure className={cn("min-w-0 rounded-md border bg-surface", isKept && "border-accent")}>
      <figcaption className="border-line border-b bg-sunken px-3 py-1 text-muted text-sm">
        {title}
        {isKept ? ", kept" : ""}
      </figcaption>
      {lines.length === 0 ? (
        <p className="px-3 py-2 text-muted">Lines removed.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <pre className="inset-focus max-h-60 overflow-auto px-3 py-2 text-sm" tabIndex={0}>
          {lines.join("\n")}
        </pre>
      )}
    </figure>
  );
}
