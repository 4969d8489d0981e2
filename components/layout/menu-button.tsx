"use client";

import { Menu } from "lucide-react";
import { AttentionDot, useAttention } from "@/components/layout/attention";
import { navPlaces } from "@/components/layout/nav";
import { placeAttention } from "@/components/layout/place-attention";
import { useShell } from "@/components/layout/shell-context";
import { IconButton } from "@/components/ui/icon-button";

/** Opens the rail on a phone, with a mark when something waits in one of its places. */
export function MenuButton() {
  const { openNav } = useShell();
  const attention = useAttention();
  const waiting = placeAttention(
    navPlaces.flatMap(({ counts }) => counts),
    attention,
  );
  return (
    <span className="relative -ml-2 md:hidden">
      <IconButton
        icon={Menu}
        label={waiting ? `Open the menu: ${waiting.words}` : "Open the menu"}
        onClick={openNav}
        size="lg"
      />
      {waiting ? <AttentionDot attention={waiting} /> : null}
    </span>
  );
}
