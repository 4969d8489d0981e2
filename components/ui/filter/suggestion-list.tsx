import { cn } from "@/components/ui/cn";
import { type Suggestion, suggestionId } from "@/components/ui/filter/suggest";
import { formatTokens } from "@/components/ui/format/count";

export interface SuggestionListProps {
  id: string;
  offers: readonly Suggestion[];
  chosen: number;
  onTake: (offer: Suggestion) => void;
  onPoint: (index: number) => void;
}

/** The suggestions below a filter bar; the bar keeps the focus and handles the keys. */
export function SuggestionList({ id, offers, chosen, onTake, onPoint }: SuggestionListProps) {
  return (
    <div
      role="listbox"
      id={`${id}-offers`}
      aria-label="Completions"
      hidden={offers.length === 0}
      className="absolute top-full left-0 z-30 mt-1 max-h-80 w-full max-w-90 overflow-y-auto rounded-lg bg-raised p-1 shadow-overlay"
    >
      {offers.map((offer, index) => (
        <div
          key={suggestionId(offer)}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          // The bar must not lose the focus before the click is taken.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(offer)}
          onKeyDown={undefined}
          onMouseMove={() => onPoint(index)}
          className={cn(
            "flex h-7 cursor-pointer items-center gap-1 rounded-sm px-2 max-sm:h-10",
            index === chosen && "bg-hover",
          )}
        >
          {offer.kind === "key" ? (
            <>
              <span className="font-medium">{offer.key}:</span>
              <span className="truncate text-faint text-sm">{offer.hint}</span>
            </>
          ) : (
            <>
              <span className="text-muted">{offer.term.key}:</span>
              <span className="truncate">{offer.label}</span>
              {offer.count === null ? null : (
                <span className="ml-auto pl-3 text-faint text-sm">{formatTokens(offer.count)}</span>
              )}
            </>
          )}
        </div>
      ))}
    </div>
  );
}
