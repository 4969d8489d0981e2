"use client";

import { Bookmark } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Popover } from "@/components/ui/popover";
import type { ViewPage } from "@/server/views/schema";

const SavedViews = loadWhenOpened(() => import("@/components/layout/views/saved-views").then((one) => one.SavedViews));

/** Saved views of a page: the person's own and the shared ones, and a way to save the current filters. */
export function ViewsMenu({ page }: { page: ViewPage }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label="Saved views"
      open={open}
      onOpenChange={setOpen}
      className="w-80 p-0"
      trigger={
        <Button variant="ghost" aria-label="Saved views">
          <Bookmark aria-hidden />
          <span className="max-lg:hidden">Views</span>
        </Button>
      }
    >
      <SavedViews page={page} onClose={() => setOpen(false)} />
    </Popover>
  );
}
