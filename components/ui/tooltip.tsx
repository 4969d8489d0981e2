"use client";

import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";

/** Mounted once around the app: neighbours show their hints without waiting again. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={350} skipDelayDuration={200}>
      {children}
    </Radix.Provider>
  );
}

export interface TooltipProps {
  /** The text of the tooltip; without content there is no tooltip. */
  content: ReactNode;
  /** One element that takes a ref: the thing explained. */
  children: ReactNode;
  side?: "top" | "right" | "bottom" | "left";
}

/** A hint on hover and on keyboard focus. Never the only place where something is said to a touch screen. */
export function Tooltip({ content, children, side = "top" }: TooltipProps) {
  if (content === null || content === undefined || content === "") return children;
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={5}
          collisionPadding={8}
          className="z-60 max-w-72 animate-fade whitespace-pre-line rounded-md bg-inverse px-2 py-1 text-on-inverse text-sm shadow-overlay"
        >
          {content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Text with a tooltip: reachable by keyboard, with a dotted underline so that it can be found. */
export function Hint({
  content,
  children,
  className,
}: {
  content: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <Tooltip content={content}>
      <button
        type="button"
        className={`cursor-help rounded-sm text-left text-inherit underline decoration-line-strong decoration-dotted underline-offset-3 ${className ?? ""}`}
      >
        {children}
      </button>
    </Tooltip>
  );
}
