"use client";

import { Check, type LucideIcon } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { Kbd } from "@/components/ui/kbd";

export type MenuItem =
  | {
      kind?: "item";
      label: ReactNode;
      icon?: LucideIcon;
      keys?: string;
      onSelect: () => void;
      danger?: boolean;
      disabled?: boolean;
    }
  | { kind: "check"; label: ReactNode; checked: boolean; onChange: (checked: boolean) => void; disabled?: boolean }
  | { kind: "label"; label: ReactNode }
  | { kind: "separator" };

export interface MenuProps {
  /** The button that opens it; takes a ref. */
  trigger: ReactNode;
  items: readonly MenuItem[];
  align?: "start" | "end";
  side?: "top" | "right" | "bottom";
}

const rowLook =
  "flex min-h-7 cursor-pointer select-none items-center gap-2 rounded-sm px-2 outline-none data-[disabled]:cursor-not-allowed data-[disabled]:text-faint data-[highlighted]:bg-hover";

/** Acts that do not deserve a button each. */
export function Menu({ trigger, items, align = "end", side = "bottom" }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <section aria-label="Menu">
          <Radix.Content
            align={align}
            side={side}
            sideOffset={4}
            collisionPadding={8}
            className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 animate-rise overflow-y-auto rounded-lg bg-raised p-1 shadow-overlay outline-none"
          >
            {items.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a menu's items have no identity but their place
              <Row key={index} item={item} />
            ))}
          </Radix.Content>
        </section>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Row({ item }: { item: MenuItem }) {
  switch (item.kind) {
    case "separator":
      return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
    case "label":
      return <Radix.Label className="px-2 py-1 text-faint text-xs">{item.label}</Radix.Label>;
    case "check":
      return (
        <Radix.CheckboxItem
          checked={item.checked}
          onCheckedChange={item.onChange}
          onSelect={(event) => event.preventDefault()}
          disabled={item.disabled ?? false}
          className={rowLook}
        >
          <span className="flex w-4 justify-center">
            <Radix.ItemIndicator>
              <Check aria-hidden className="size-3.5 text-accent-text" />
            </Radix.ItemIndicator>
          </span>
          {item.label}
        </Radix.CheckboxItem>
      );
    default: {
      const Icon = item.icon;
      return (
        <Radix.Item
          onSelect={item.onSelect}
          disabled={item.disabled ?? false}
          className={cn(rowLook, item.danger && "text-deny data-[highlighted]:bg-deny-soft")}
        >
          {Icon ? <Icon aria-hidden className={cn("size-3.5", item.danger ? "" : "text-muted")} /> : null}
          <span className="flex-1">{item.label}</span>
          {item.keys ? <Kbd keys={item.keys} /> : null}
        </Radix.Item>
      );
    }
  }
}
