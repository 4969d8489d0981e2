"use client";

import { Command as Cmdk } from "cmdk";
import { KINDS, type PaletteObject } from "@/components/layout/palette/results";

export interface WorkspaceObjectItemsProps {
  objects: readonly PaletteObject[];
  /** True to show the object's kind, if the heading does not name it. */
  showsKind?: boolean;
  onOpen: (object: PaletteObject) => void;
}

/** Objects of the workspace by their names. */
export function WorkspaceObjectItems({ objects, showsKind = false, onOpen }: WorkspaceObjectItemsProps) {
  return objects.map((object) => {
    const { one, icon: Icon } = KINDS[object.kind];
    const aside = [showsKind ? one : "", object.aside].filter(Boolean).join(" · ");
    return (
      <Cmdk.Item
        key={object.id}
        value={`${showsKind ? "recent " : ""}${object.id}`}
        onSelect={() => onOpen(object)}
        className="flex h-8 cursor-pointer items-center gap-2 rounded-sm px-2 data-[selected=true]:bg-hover max-sm:h-11"
      >
        <span className="flex w-4 shrink-0 justify-center text-muted">
          <Icon aria-hidden className="size-4" strokeWidth={1.75} />
        </span>
        <span className="min-w-0 truncate">{object.label}</span>
        {aside ? <span className="ml-auto max-w-1/2 shrink-0 truncate text-faint text-sm">{aside}</span> : null}
      </Cmdk.Item>
    );
  });
}
