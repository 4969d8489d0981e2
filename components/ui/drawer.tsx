"use client";

import { ChevronDown, ChevronUp, X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { createContext, type KeyboardEvent, type ReactNode, use } from "react";
import { cn } from "@/components/ui/cn";
import { focusContent, scrimLook } from "@/components/ui/dialog";
import { isEditable } from "@/components/ui/hotkeys/store";
import { IconButton } from "@/components/ui/icon-button";

export interface DrawerProps {
  /** Controlled by the caller, from the URL: `open={id !== null}`. */
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** A second line: when, where. */
  subtitle?: ReactNode;
  /** Right of the title: copy link, menu. */
  actions?: ReactNode;
  /** The list behind, walked with arrows or j and k. Absent at an end. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  footer?: ReactNode;
  width?: "md" | "lg";
  children: ReactNode;
}

/** The line over each drawer's header: a narrow drawer covers the page and its notices. */
export const DrawerBanner = createContext<ReactNode>(null);

/** True if the focused element inside uses the arrow keys: a field, an open list, tabs. */
const takesArrows = (target: EventTarget): boolean =>
  isEditable(target) ||
  (target instanceof Element &&
    target.closest("[role=tablist],[role=listbox],[role=menu],[role=combobox],.cm-editor,pre") !== null);

/** The list behind may already have taken the focus to the row that was walked to last. */
function keepFocus(event: Event): void {
  if (document.activeElement !== null && document.activeElement !== document.body) event.preventDefault();
}

/** One record in a panel from the right; Escape closes it, and the focus returns to the element that had it. */
export function Drawer(props: DrawerProps) {
  const { open, onClose, onPrevious, onNext, footer, width = "md", children } = props;
  const banner = use(DrawerBanner);
  const walk = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || takesArrows(event.target)) return;
    const step =
      event.key === "ArrowDown" || event.key === "j"
        ? onNext
        : event.key === "ArrowUp" || event.key === "k"
          ? onPrevious
          : undefined;
    if (!step) return;
    event.preventDefault();
    step();
  };
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className={scrimLook} />
        <Radix.Content
          aria-describedby={undefined}
          onKeyDown={walk}
          onOpenAutoFocus={focusContent}
          onCloseAutoFocus={keepFocus}
          className={cn(
            "fixed inset-y-0 right-0 z-50 flex w-full animate-slide flex-col bg-raised shadow-overlay outline-none",
            width === "md" ? "md:w-150" : "md:w-180",
          )}
        >
          {banner}
          <Header {...props} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <section aria-label="Details" tabIndex={0} className="inset-focus min-h-0 flex-1 overflow-y-auto px-4 py-4">
            {children}
          </section>
          {footer ? (
            <footer className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-t px-4 py-3">
              {footer}
            </footer>
          ) : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Header({ title, subtitle, actions, onPrevious, onNext }: DrawerProps) {
  const walks = onPrevious !== undefined || onNext !== undefined;
  return (
    <header className="flex min-h-12 shrink-0 items-center gap-2 border-b px-4 py-2">
      <div className="min-w-0 flex-1">
        <Radix.Title className="flex max-h-18 min-h-6 min-w-0 flex-wrap items-center gap-x-2 gap-y-1 overflow-hidden break-words font-semibold text-md">
          {title}
        </Radix.Title>
        {subtitle ? (
          <div className="truncate text-muted text-sm max-sm:line-clamp-2 max-sm:whitespace-normal">{subtitle}</div>
        ) : null}
      </div>
      <div className="flex shrink-0 items-center gap-0.5">
        {actions}
        {walks ? (
          <>
            <IconButton
              icon={ChevronUp}
              label="Previous"
              keys="k"
              disabled={!onPrevious}
              onClick={onPrevious}
              side="bottom"
            />
            <IconButton icon={ChevronDown} label="Next" keys="j" disabled={!onNext} onClick={onNext} side="bottom" />
          </>
        ) : null}
        <Radix.Close asChild>
          <IconButton icon={X} label="Close" keys="escape" side="bottom" />
        </Radix.Close>
      </div>
    </header>
  );
}
