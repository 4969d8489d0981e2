/**
 * The page to land on after signing in: a page of this console, or the overview. Addresses of other sites are rejected.
 */
export function nextPage(asked: string | null | undefined): string {
  if (!asked?.startsWith("/")) return "/";
  // Browsers read a backslash as a slash and skip tabs and line ends: "/\evil" and "/\t/evil" lead away.
  const url = URL.canParse(asked, HERE) ? new URL(asked, HERE) : null;
  if (url === null || url.origin !== HERE || url.pathname === "/sign-in") return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}

const HERE = "http://here.invalid";
