"use client";

import { ListFilter, X } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { cn } from "@/components/ui/cn";
import {
  type Filter,
  type FilterTerm,
  isEmptyFilter,
  noFilter,
  parseFilter,
  printTerm,
  withoutTerm,
  withTerm,
} from "@/components/ui/filter/filter-text";
import { type FilterField, type Suggestion, suggest, suggestionId } from "@/components/ui/filter/suggest";
import { SuggestionList } from "@/components/ui/filter/suggestion-list";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { IconButton } from "@/components/ui/icon-button";
import { Kbd } from "@/components/ui/kbd";

export interface FilterBarProps {
  /** The things that are filtered: "decisions". */
  label: string;
  /** Keys with their values and counts; values may arrive later. */
  fields: readonly FilterField[];
  value: Filter;
  onChange: (next: Filter) => void;
  /** Examples, while nothing is typed. */
  placeholder?: string;
  className?: string;
}

/**
 * One bar of typed chips and free text. `/` focuses it, Enter applies, Backspace in an empty field takes the last chip
 * back for editing, arrows choose among the offers, Tab completes.
 */
export function FilterBar({ label, fields, value, onChange, placeholder, className }: FilterBarProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  useHotkey("/", () => input.current?.focus(), { label: "Filter", group: "List" });

  const text = typed ?? value.text;
  const cut = lastWordStart(text);
  const offers = open ? suggest(text.slice(cut), fields, value) : [];
  const edit = (next: string) => {
    setTyped(next);
    setChosen(-1);
    setOpen(true);
  };
  const apply = (next: string) => {
    const parsed = parseFilter(
      next,
      fields.map((field) => field.key),
    );
    onChange(parsed.terms.reduce(withTerm, { terms: value.terms, text: parsed.text }));
    setTyped(null);
    setOpen(false);
    setChosen(-1);
  };
  const take = (offer: Suggestion) => {
    const before = text.slice(0, cut);
    if (offer.kind === "key") edit(`${before}${offer.key}:`);
    else {
      onChange(withTerm({ terms: value.terms, text: before.trim() }, offer.term));
      setTyped(null);
      setChosen(-1);
    }
    input.current?.focus();
  };
  const remove = (term: FilterTerm) => {
    onChange(withoutTerm(value, term));
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const offer = offers[event.key === "Tab" && chosen < 0 && text.slice(cut) !== "" ? 0 : chosen];
    const last = value.terms.at(-1);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
      const step = event.key === "ArrowDown" ? 1 : -1;
      setChosen((now) =>
        offers.length === 0 ? -1 : (now + step + offers.length + (now < 0 && step < 0 ? 1 : 0)) % offers.length,
      );
    } else if ((event.key === "Enter" || event.key === "Tab") && offer && !event.shiftKey) {
      event.preventDefault();
      take(offer);
    } else if (event.key === "Enter") apply(text);
    else if (event.key === "Escape") {
      if (open && offers.length > 0) setOpen(false);
      else input.current?.blur();
    } else if (event.key === "Backspace" && text === "" && last) {
      event.preventDefault();
      onChange(withoutTerm(value, last));
      edit(printTerm(last));
    }
  };

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
          <Chip key={printTerm(term)} term={term} label={labelOf(term, fields)} onRemove={() => remove(term)} />
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
          onChange={(event) => edit(event.target.value)}
          onFocus={() => setOpen(true)}
          onBlur={() => {
            if (typed !== null) apply(typed);
            setOpen(false);
          }}
          onKeyDown={onKeyDown}
          className="h-6 min-w-24 flex-1 bg-transparent text-base outline-none max-sm:text-lg"
        />
        {isEmptyFilter(value) && text === "" ? (
          <Kbd keys="/" className="max-sm:hidden" />
        ) : (
          <IconButton
            icon={X}
            label="Clear the filter"
            size="sm"
            onClick={() => {
              setTyped(null);
              onChange(noFilter);
            }}
          />
        )}
      </div>
      <SuggestionList
        id={id}
        offers={offers}
        chosen={chosen}
        onTake={take}
        onPoint={setChosen}
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

/** Where the word under the cursor begins; a space inside quotes does not end it. */
function lastWordStart(text: string): number {
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') quoted = !quoted;
    else if (text[at] === " " && !quoted) start = at + 1;
  }
  return start;
}
