"use client";

import { Command as Cmdk } from "cmdk";
import { Check } from "lucide-react";
import type { Ref } from "react";
import { groupBy } from "@/components/ui/group-by";

export interface SearchListOption {
  readonly value: string;
  readonly label: string;
  /** The heading above it; options of one kind follow each other. */
  readonly kind: string;
}

export interface SearchListProps {
  value: string;
  onChange: (value: string) => void;
  options: readonly SearchListOption[];
  /** Names the search and the list for a screen reader. */
  label: string;
  placeholder: string;
  /** Shown without a match. */
  empty: string;
  name?: string;
  onBlur?: () => void;
  ref?: Ref<HTMLInputElement>;
  id?: string;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
}

/** Selects one of a list that is shown in place and narrowed by typing. */
export function SearchList({ value, onChange, options, label, placeholder, empty, ...rest }: SearchListProps) {
  const labels = new Map(options.map((option) => [option.value, option.label]));
  return (
    <Cmdk
      label={label}
      loop
      filter={(option, typed) =>
        (labels.get(option) ?? "").toLowerCase().includes(typed.trim().toLowerCase()) ? 1 : 0
      }
      defaultValue={value}
      className="overflow-hidden rounded-md border border-line-strong bg-surface"
    >
      <Cmdk.Input
        {...rest}
        placeholder={placeholder}
        maxLength={100}
        className="h-8 w-full border-line border-b bg-transparent px-2.5 text-base outline-none max-sm:h-10 max-sm:text-lg"
      />
      <Cmdk.List label={label} className="max-h-40 overflow-y-auto p-1">
        <Cmdk.Empty className="px-2 py-1.5 text-muted text-sm">{empty}</Cmdk.Empty>
        {groupBy(options, ({ kind }) => kind).map(([kind, members]) => (
          <Cmdk.Group
            key={kind}
            heading={kind}
            className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs"
          >
            {members.map((option) => (
              <Cmdk.Item
                key={option.value}
                value={option.value}
                onSelect={() => onChange(option.value)}
                className="flex min-h-7 cursor-pointer items-center gap-2 rounded-sm pr-2 pl-1.5 text-base data-[selected=true]:bg-hover max-sm:min-h-10"
              >
                <span className="flex w-4 justify-center">
                  {option.value === value ? <Check aria-hidden className="size-3.5 text-accent-text" /> : null}
                </span>
                <span className="truncate">{option.label}</span>
                {option.value === value ? <span className="sr-only">, chosen</span> : null}
              </Cmdk.Item>
            ))}
          </Cmdk.Group>
        ))}
      </Cmdk.List>
    </Cmdk>
  );
}
