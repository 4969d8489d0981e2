"use client";

import { ListFilter, X } from "lucide-react";
import { useId } from "react";
import { cn } from "@/components/ui/cn";
import { type FilterTerm, isEmptyFilter, printTerm } from "@/components/ui/filter/filter-text";
import { type FilterField, suggestionId } from "@/components/ui/filter/suggest";
import { SuggestionList } from "@/components/ui/filter/suggestion-list";
import { type FilterInput, useFilterInput } from "@/components/ui/filter/use-filter-input";
import { IconButton } from "@/components/ui/icon-button";
import { Kbd } from "@/components/ui/kbd";

export interface FilterBarProps extends FilterInput {
  /** The things that are filtered: "decisions". */
  label: string;
  /** Examples, shown while the field is empty. */
  placeholder?: string;
  className?: string;
}

/**
 * One bar of typed chips and free text. `/` focuses it, Enter applies, Backspace in an empty field takes the last chip
 * back for editing, arrows choose among the offers, Tab completes.
 */
export function FilterBar({ label, fields, value, onChange, placeholder, className }: FilterBarProps) {
  const id = useId();
  const bar = useFilterInput({ fields, value, onChange });
  const { input, text, offers, chosen } = bar;
  return (
    <search className={cn("relative min-w-0 flex-1", className)}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the chips means the field, which is keyboard-reachable itself */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
      <div
        onClick={() => input.current?.focus()}
        className="flex min-h-8 cursor-text flex-wrap items-center gap-1 rounded-md border border-line-strong bg-surface px-2 py-0.5 transition-colors focus-within:border-accent focus-within:outline-1 focus-within:outline-accent hover:border-faint"
      >
        <ListFilter aria-hidden className="size-3.5 shrink-0 text-faint" />
        {value.terms.map((term) => (
          <Chip key={printTerm(term)} term={term} label={labelOf(term, fields)} onRemove={() => bar.remove(term)} />
        ))}
        <input
          ref={input}
          role="combobox"
          aria-label={`Filter ${label}`}
          aria-expanded={offers.length > 0}
          aria-controls={`${id}-offers`}
          aria-autocomplete="list"
          aria-activedescendant={offers[chosen] ? `${id}-${chosen}` : undefined}
          autoComplete="off"
          spellCheck={false}
          value={text}
          placeholder={value.terms.length === 0 ? placeholder : ""}
          onChange={(event) => bar.edit(event.target.value)}
          onFocus={bar.onFocus}
          onBlur={bar.onBlur}
          onKeyDown={bar.onKeyDown}
          className="h-6 min-w-24 flex-1 bg-transparent text-base outline-none max-sm:text-lg"
        />
        {isEmptyFilter(value) && text === "" ? (
          <Kbd keys="/" className="max-sm:hidden" />
        ) : (
          <IconButton icon={X} label="Clear the filter" size="sm" onClick={bar.clear} />
        )}
      </div>
      <SuggestionList
        id={id}
        offers={offers}
        chosen={chosen}
        onTake={bar.take}
        onPoint={bar.setChosen}
        key={offers.map(suggestionId).join()}
      />
    </search>
  );
}

function Chip({ term, label, onRemove }: { term: FilterTerm; label: string; onRemove: () => void }) {
  return (
    <span className="inline-flex h-6 max-w-full items-center overflow-hidden rounded-sm border border-accent-line bg-accent-soft text-sm">
      <span className="pl-1.5 text-muted">{term.key}:</span>
      <span className="truncate pr-0.5 font-medium text-accent-text">{label}</span>
      <button
        type="button"
        aria-label={`Remove ${term.key}: ${label}`}
        onClick={(event) => {
          event.stopPropagation();
          onRemove();
        }}
        className="inset-focus flex h-full items-center px-1 text-muted hover:bg-accent-line hover:text-text"
      >
        <X aria-hidden className="size-3" />
      </button>
    </span>
  );
}

const labelOf = (term: FilterTerm, fields: readonly FilterField[]): string =>
  fields.find((field) => field.key === term.key)?.values?.find((each) => each.value === term.value)?.label ??
  term.value;
