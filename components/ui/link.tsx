import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link within the console, without prefetching. Next would request every page that a link on screen leads to, twice:
 * 22 requests for one page, each as expensive as a visit. None of them saves a request, because pages are rendered
 * again on each visit.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />;
}
