"use client";

import { Dialog } from "@/components/ui/dialog";
import { groupBy } from "@/components/ui/group-by";
import { useHotkeys } from "@/components/ui/hotkeys/use-hotkey";
import { Kbd } from "@/components/ui/kbd";

export interface ShortcutsDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Every key that the current page has registered. */
export function ShortcutsDialog({ open, onOpenChange }: ShortcutsDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts" size="lg">
      <Shortcuts />
    </Dialog>
  );
}

function Shortcuts() {
  const listed = useHotkeys().filter((hotkey) => hotkey.label !== undefined);
  const distinct = [...new Map(listed.map((hotkey) => [hotkey.keys, hotkey])).values()];
  const groups = groupBy(distinct, (hotkey) => hotkey.group ?? "This page");
  return (
    <div className="columns-1 gap-8 pb-2 sm:columns-2">
      {groups.map(([group, hotkeys]) => (
        <section key={group} className="mb-4 break-inside-avoid">
          <h3 className="mb-1 text-faint text-xs">{group}</h3>
          <dl>
            {hotkeys.map((hotkey) => (
              <div
                key={hotkey.keys}
                className="flex h-7 items-center justify-between border-line border-b last:border-0"
              >
                <dt>{hotkey.label}</dt>
                <dd>
                  <Kbd keys={hotkey.keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
