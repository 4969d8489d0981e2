"use client";

import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { FieldError, UseFormRegisterReturn } from "react-hook-form";
import { cn } from "@/components/ui/cn";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";

export interface RowColumn<Name extends string> {
  readonly field: Name;
  readonly label: string;
  readonly placeholder?: string;
}

export interface FormRowProps<Name extends string> {
  /** The row's own, stable while rows come and go. */
  id: string;
  index: number;
  /** For a screen reader: "Input, price 2". */
  noun: string;
  /** The first is a name and has its own line on a phone; the others are amounts. */
  columns: readonly RowColumn<Name>[];
  register: (field: Name) => UseFormRegisterReturn;
  wrongs: Partial<Record<Name, FieldError>> | undefined;
  removeLabel: string;
  onRemove: () => void;
  /** Amounts that few rows have, folded unless `isOpen` at first or one of them is wrong. */
  more?: { readonly label: string; readonly columns: readonly RowColumn<Name>[]; readonly isOpen: boolean };
  /** The grid of the columns and the button that removes the row. */
  gridClassName: string;
  nameClassName: string;
}

/** A row of a list in a form: texts side by side under one row of labels, the first error below. */
export function FormRow<Name extends string>(props: FormRowProps<Name>) {
  const { id, index, noun, columns, register, wrongs, removeLabel, onRemove, more } = props;
  const [isOpen, setIsOpen] = useState(more?.isOpen ?? false);
  const showsMore = isOpen || (more?.columns ?? []).some(({ field }) => wrongs?.[field]);
  const wrong = [...columns, ...(more?.columns ?? [])].map(({ field }) => wrongs?.[field]?.message).find(Boolean);
  const input = ({ field, label, placeholder }: RowColumn<Name>, isText: boolean) => (
    <Input
      {...register(field)}
      mono
      aria-label={`${label}, ${noun} ${index + 1}`}
      autoComplete="off"
      inputMode={isText ? "text" : "decimal"}
      placeholder={placeholder}
      aria-invalid={wrongs?.[field] ? true : undefined}
      aria-describedby={wrong ? `${id}-wrong` : undefined}
    />
  );
  return (
    <li className="flex flex-col gap-1">
      <div className={cn("grid items-end gap-2", props.gridClassName)}>
        {columns.map((column, at) => (
          <div key={column.field} className={at === 0 ? props.nameClassName : ""}>
            <span aria-hidden className={index === 0 ? "text-faint text-xs" : "text-faint text-xs sm:hidden"}>
              {column.label}
            </span>
            {input(column, at === 0)}
          </div>
        ))}
        <IconButton icon={Trash2} size="lg" label={removeLabel} onClick={onRemove} />
      </div>
      {more ? (
        <details open={showsMore} onToggle={(event) => setIsOpen(event.currentTarget.open)} className="text-sm">
          <summary className="text-muted">{more.label}</summary>
          <div className="grid grid-cols-2 gap-2 py-1 sm:grid-cols-3">
            {(showsMore ? more.columns : []).map((column) => (
              <div key={column.field}>
                <span aria-hidden className="text-faint text-xs">
                  {column.label}
                </span>
                {input(column, false)}
              </div>
            ))}
          </div>
        </details>
      ) : null}
      {wrong ? (
        <p id={`${id}-wrong`} role="alert" className="text-deny text-sm">
          {wrong}
        </p>
      ) : null}
    </li>
  );
}
