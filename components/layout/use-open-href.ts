"use client";

import { usePathname, useSearchParams } from "next/navigation";

/** The page's own address with another record open. */
export function useOpenHref<Key>(keyText: (key: Key) => string): (key: Key) => string {
  const path = usePathname();
  const params = useSearchParams();
  return (key) => {
    const next = new URLSearchParams(params);
    next.set("open", keyText(key));
    return `${path}?${next}`;
  };
}
