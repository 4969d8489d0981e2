import { ArrowDown, ArrowUp } from "lucide-react";
import { move } from "@/components/policies/document/edits";
import type { Path } from "@/components/policies/document/yaml-tree";
import type { DoEdit } from "@/components/policies/form/form-context";
import type { MenuItem } from "@/components/ui/menu";

/** The index of an item among its siblings, and their number. */
export interface ItemPosition {
  readonly index: number;
  readonly of: number;
}

/** The items of a menu that move a part of the text up and down. Something outside a list cannot be moved. */
export function moveItems(edit: DoEdit, path: Path, { index, of }: ItemPosition, isInList = true): MenuItem[] {
  const item = (label: string, icon: typeof ArrowUp, by: -1 | 1, isLast: boolean): MenuItem => ({
    ...{ label, icon, disabled: isLast || !isInList },
    onSelect: () => void edit((text) => move(text, path, by)),
  });
  return [item("Move up", ArrowUp, -1, index === 0), item("Move down", ArrowDown, 1, index + 1 >= of)];
}
