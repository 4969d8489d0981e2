"use client";

import { type KeyboardEvent, useRef, useState } from "react";
import {
  type Filter,
  type FilterTerm,
  noFilter,
  parseFilter,
  printTerm,
  withoutTerm,
  withTerm,
} from "@/components/ui/filter/filter-text";
import { type FilterField, type Suggestion, suggest } from "@/components/ui/filter/suggest";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";

export interface FilterInput {
  /** Keys with their values and counts; values may arrive later. */
  fields: readonly FilterField[];
  value: Filter;
  onChange: (next: Filter) => void;
}

/** The text of a filter bar during typing, with suggestions for its last word. */
export function useFilterInput({ fields, value, onChange }: FilterInput) {
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
  const takeBack = (term: FilterTerm) => {
    onChange(withoutTerm(value, term));
    edit(printTerm(term));
  };
  const onBlur = () => {
    if (typed !== null) apply(typed);
    setOpen(false);
  };
  const clear = () => {
    setTyped(null);
    onChange(noFilter);
  };
  const onFocus = () => setOpen(true);
  const isInWord = text.slice(cut) !== "";
  const last = text === "" ? value.terms.at(-1) : undefined;
  const state = { input, text, offers, chosen, setChosen, edit, take, remove, clear, onFocus, onBlur };
  return { ...state, onKeyDown: onKeyDownOf({ ...state, open, setOpen, isInWord, last, apply, takeBack }) };
}

interface Keys {
  input: { readonly current: HTMLInputElement | null };
  text: string;
  offers: readonly Suggestion[];
  chosen: number;
  setChosen: (next: (now: number) => number) => void;
  open: boolean;
  setOpen: (next: boolean) => void;
  isInWord: boolean;
  /** The last chip, while no word is typed. */
  last: FilterTerm | undefined;
  apply: (text: string) => void;
  take: (offer: Suggestion) => void;
  takeBack: (term: FilterTerm) => void;
}

const onKeyDownOf = (keys: Keys) => (event: KeyboardEvent) => {
  const { input, text, offers, chosen, setChosen, open, setOpen, isInWord, last, apply, take, takeBack } = keys;
  const offer = offers[event.key === "Tab" && chosen < 0 && isInWord ? 0 : chosen];
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
  } else if (event.key === "Backspace" && last) {
    event.preventDefault();
    takeBack(last);
  }
};

/** The start of the word at the cursor; a space inside quotes does not end it. */
function lastWordStart(text: string): number {
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') quoted = !quoted;
    else if (text[at] === " " && !quoted) start = at + 1;
  }
  return start;
}
