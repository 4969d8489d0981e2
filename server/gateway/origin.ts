import type { IncomingMessage } from "node:http";
import { AppError } from "../errors/app-error.ts";

/**
 * Refuses what another site's page made a browser send. A browser says where a request comes from; what says nothing is no
 * browser, and then a cookie has no business in it.
 *
 * Errors: `foreign_origin`.
 */
export function refuseForeignOrigin(request: IncomingMessage, ownUrl: string): void {
  const { origin, host, cookie } = request.headers;
  if (origin === undefined) {
    const site = request.headers["sec-fetch-site"];
    const isOwn = site === "same-origin" || site === "none";
    if (site === undefined ? cookie === undefined : isOwn) return;
    throw new AppError("foreign_origin");
  }
  if (URL.canParse(origin)) {
    const { host: from, origin: whole } = new URL(origin);
    // Behind a proxy that ends TLS the scheme is not ours to know: the host must be the one that was asked.
    if (from === host?.toLowerCase() || whole === new URL(ownUrl).origin) return;
  }
  throw new AppError("foreign_origin");
}
