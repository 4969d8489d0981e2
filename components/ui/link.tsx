import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link within the console. Next would ask the server for every page that a link on screen leads to, twice: 22 requests for
 * one page, each as dear as a visit, and none of them saves one, because the pages are made anew for each visit.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />;
}
