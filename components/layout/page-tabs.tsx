"use client";

import { usePathname } from "next/navigation";
import { AttentionCount, useAttention } from "@/components/layout/attention";
import { placeOf, tabOf } from "@/components/layout/nav";
import { useTabAddress } from "@/components/layout/travel-provider";
import { Link } from "@/components/ui/link";
import { showInList } from "@/components/ui/show-in-list";

/** The tabs of the place that the page belongs to; nothing on a page of one agent, policy or session. */
export function PageTabs() {
  const pathname = usePathname();
  const attention = useAttention();
  const addressOf = useTabAddress();
  const place = placeOf(pathname);
  const current = tabOf(pathname);
  if (!place || !current || place.tabs.length < 2) return null;
  return (
    <nav aria-label={`${place.label} tabs`} data-no-print className="shrink-0 border-line border-b bg-canvas">
      <ul className="relative flex gap-4 overflow-x-auto px-4 [scrollbar-width:none] max-sm:px-3 md:px-6">
        {place.tabs.map((tab) => {
          const isCurrent = tab === current;
          const count = tab.count && attention[tab.count];
          return (
            // On a phone the current tab may be outside the visible area.
            <li key={tab.href} ref={isCurrent ? showInList : undefined} className="shrink-0">
              <Link
                href={addressOf(tab)}
                aria-current={isCurrent ? "page" : undefined}
                className="inset-focus -mb-px flex h-9 items-center gap-1.5 whitespace-nowrap border-transparent border-b-2 text-muted transition-colors hover:text-text aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-text max-sm:h-10"
              >
                {tab.label}
                {count ? <AttentionCount attention={count} /> : null}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
