"use client";

import { type LucideIcon, Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { usePermissions } from "@/components/access/permission";
import { type Command, useRegisteredCommands } from "@/components/layout/commands";
import { navPages } from "@/components/layout/nav";
import { matching } from "@/components/layout/palette/match";
import { useDocumentItems } from "@/components/layout/palette/use-document-items";
import { VERBS } from "@/components/layout/palette/verbs";
import { useTabAddress } from "@/components/layout/travel-provider";

/** A line of the palette that is not an object: a command, a verb, a page. */
export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  readonly group?: string;
  readonly icon?: LucideIcon | undefined;
  readonly aside?: string;
  readonly keywords?: readonly string[] | undefined;
  readonly keys?: string | undefined;
  /** The reason why it cannot be done; it is shown and cannot be chosen. */
  readonly refusal?: string | undefined;
  readonly href?: string;
  readonly run?: () => void;
}

type GroupedItem = PaletteItem & { readonly group: string };

/** Verbs, pages and themes that match a text, each group with its best match first. */
export function usePaletteItems(text: string): readonly GroupedItem[] {
  const { setTheme } = useTheme();
  const permissionOf = usePermissions();
  const registered = useRegisteredCommands();
  const addressOf = useTabAddress();
  const refusalOf = ({ id, to = VERBS.find((one) => one.id === id)?.to }: Command) =>
    to ? (permissionOf(to).reason ?? undefined) : undefined;
  const documents = useDocumentItems(text);
  const onPage = registered.map(
    (command): GroupedItem => ({ ...command, group: command.group ?? "On this page", refusal: refusalOf(command) }),
  );
  const isOnPage = new Set(registered.map(({ id }) => id));
  const verbs = VERBS.filter(({ id }) => !isOnPage.has(id)).map(
    ({ to, ...verb }): GroupedItem => ({ ...verb, group: "Actions", refusal: permissionOf(to).reason ?? undefined }),
  );
  const pages = navPages.map(
    ({ href, label, icon, about, keywords = [], jump, ...tab }): GroupedItem => ({
      ...{ id: href, label, icon, aside: about, keywords: [about, tab.title ?? "", ...keywords], group: "Pages" },
      ...{ keys: jump && `g ${jump}`, href: addressOf({ href, label, about, ...tab }) },
    }),
  );
  const themes: readonly GroupedItem[] = [
    { id: "theme-light", label: "Use the light theme", icon: Sun, group: "Theme", run: () => setTheme("light") },
    { id: "theme-dark", label: "Use the dark theme", icon: Moon, group: "Theme", run: () => setTheme("dark") },
    {
      id: "theme-system",
      label: "Use the system's theme",
      icon: Monitor,
      group: "Theme",
      run: () => setTheme("system"),
    },
  ];
  return [...matching(text, [...onPage, ...verbs, ...pages, ...themes], (item) => item), ...documents];
}
