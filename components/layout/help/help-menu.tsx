"use client";

import { BookOpen, CircleQuestionMark, Keyboard, LifeBuoy, Sparkles } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { helpHref, pageHelp } from "@/components/layout/help/help-table";
import { useShell } from "@/components/layout/shell-context";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu";
import { documentHref, RELEASE } from "@/server/documents/address-schema";

/** Help at the foot of the rail: documentation, what is new, the keys, and the version. */
export function HelpMenu({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const router = useRouter();
  const { openShortcuts } = useShell();
  const help = pageHelp(usePathname());
  const go = (href: string) => () => {
    onNavigate?.();
    router.push(href);
  };
  return (
    <Menu
      side="top"
      align="start"
      trigger={<IconButton icon={CircleQuestionMark} label="Help" side="right" />}
      items={[
        ...(help === null ? [] : [{ label: "Help for this page", icon: LifeBuoy, onSelect: go(helpHref(help)) }]),
        { label: "Documentation", icon: BookOpen, onSelect: go("/docs") },
        { label: "What's new", icon: Sparkles, onSelect: go(documentHref("whats-new")) },
        { label: "Keyboard shortcuts", icon: Keyboard, keys: "?", onSelect: openShortcuts },
        { kind: "separator" },
        { kind: "label", label: `Quarterdeck ${RELEASE}` },
      ]}
    />
  );
}
