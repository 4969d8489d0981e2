"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { cn } from "@/components/ui/cn";
import { IconButton } from "@/components/ui/icon-button";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** One sentence under the title. */
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, the primary last. */
  footer?: ReactNode;
  size?: "sm" | "md" | "lg";
  /** A trigger element, as an alternative to controlling `open`. */
  trigger?: ReactNode;
  className?: string;
}

export const scrimLook = "fixed inset-0 z-40 animate-fade bg-scrim";

/** Opens on the dialog itself: a button that shows a hint is not what one came for. */
export function focusContent(event: Event): void {
  if (!(event.currentTarget instanceof HTMLElement)) return;
  event.preventDefault();
  event.currentTarget.focus();
}

/** Focuses the element that opened a dialog without a trigger of its own; false when it is gone. */
function focusOpener(opener: Element | null): boolean {
  if (!(opener instanceof HTMLElement) || !opener.isConnected || opener === document.body) return false;
  opener.focus();
  return true;
}

/** The fields to fill in; of a radio group, the chosen option. */
const FIELDS = "input:not([type=radio]:not(:checked)),textarea,[role=combobox]";

/** Focuses the first field to fill in, if there is one. */
function focusFirstField(event: Event): void {
  if (!(event.currentTarget instanceof HTMLElement)) return;
  const field = event.currentTarget.querySelector<HTMLElement>(FIELDS);
  event.preventDefault();
  (field ?? event.currentTarget).focus();
}

/** A modal dialog: blocks the page until it is answered or closed. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  size = "md",
  trigger,
  className,
}: DialogProps) {
  const opener = useRef<Element | null>(null);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {trigger ? <Radix.Trigger asChild>{trigger}</Radix.Trigger> : null}
      <Radix.Portal>
        <Radix.Overlay className={scrimLook} />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement;
            focusFirstField(event);
          }}
          onCloseAutoFocus={(event) => {
            if (!trigger && focusOpener(opener.current)) event.preventDefault();
          }}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={cn(
            "-translate-x-1/2 fixed top-[12vh] left-1/2 z-50 flex max-h-[80vh] w-[calc(100vw-24px)] animate-fade flex-col rounded-lg bg-raised shadow-overlay outline-none",
            { sm: "max-w-100", md: "max-w-130", lg: "max-w-180" }[size],
            className,
          )}
        >
          <header className="flex items-start justify-between gap-4 px-4 pt-4 pb-2">
            <div>
              <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
              {description ? <Radix.Description className="text-muted">{description}</Radix.Description> : null}
            </div>
            <Radix.Close asChild>
              <IconButton icon={X} label="Close" size="sm" />
            </Radix.Close>
          </header>
          {children ? <div className="min-h-0 flex-1 overflow-y-auto px-4 py-2">{children}</div> : null}
          {footer ? (
            <footer className="flex flex-wrap items-center justify-end gap-2 px-4 pt-2 pb-4">{footer}</footer>
          ) : (
            <div className="pb-2" />
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
