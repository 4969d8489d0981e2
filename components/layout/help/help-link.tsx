"use client";

import { CircleQuestionMark } from "lucide-react";
import { usePathname } from "next/navigation";
import { helpHref, pageHelp } from "@/components/layout/help/help-table";
import { Link } from "@/components/ui/link";
import { Tooltip } from "@/components/ui/tooltip";

/** The `?` next to a page's title: the part of the documentation about this page. */
export function HelpLink() {
  const pathname = usePathname();
  if (pathname === "/docs" || pathname.startsWith("/docs/")) return null;
  const to = pageHelp(pathname);
  return (
    <Tooltip content="Help for this page" side="bottom">
      <Link
        href={to === null ? "/docs" : helpHref(to)}
        aria-label="Help for this page"
        className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-text max-sm:hidden"
      >
        <CircleQuestionMark aria-hidden className="size-4" strokeWidth={1.75} />
      </Link>
    </Tooltip>
  );
}
