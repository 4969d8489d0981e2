"use client";

import { useQuery } from "@tanstack/react-query";
import { BookOpen, type LucideIcon } from "lucide-react";
import { useMemo } from "react";
import { matching } from "@/components/layout/palette/match";
import { useTRPC } from "@/components/trpc/client";
import { documentHref } from "@/server/documents/address-schema";
import type { DocumentIndexView } from "@/server/documents/schema";

const SHOWN_MAX = 6;
const GROUP = "Documentation";

/** A document or a section, in the shape of a palette item. */
interface DocumentItem {
  readonly id: string;
  readonly label: string;
  readonly group: string;
  readonly icon: LucideIcon;
  readonly aside: string;
  readonly keywords: readonly string[];
  readonly href: string;
}

/**
 * Documents and their sections that match a text. The index is fetched when the palette opens for the first time.
 */
export function useDocumentItems(text: string): readonly DocumentItem[] {
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.documents.index.queryOptions(), staleTime: Number.POSITIVE_INFINITY });
  const items = useMemo(() => listItems(data ?? []), [data]);
  return text.trim() === "" ? [] : matching(text, items, (item) => item).slice(0, SHOWN_MAX);
}

/** Documents first, then their sections: of two equal matches the first is shown first. */
export function listItems(index: DocumentIndexView): DocumentItem[] {
  const documents = index.map(
    ({ slug, title, about, keywords }): DocumentItem => ({
      ...{ id: `docs ${slug}`, label: title, group: GROUP, icon: BookOpen, aside: about },
      ...{ keywords: [...keywords, "docs", "help", "documentation"], href: documentHref(slug) },
    }),
  );
  const sections = index.flatMap(({ slug, title, headings }) =>
    headings.map(
      ({ text, anchor }): DocumentItem => ({
        ...{ id: `docs ${slug}#${anchor}`, label: text, group: GROUP, icon: BookOpen, aside: title },
        ...{ keywords: [title], href: documentHref(slug, anchor) },
      }),
    ),
  );
  return [...documents, ...sections];
}
