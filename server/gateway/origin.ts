import type { IncomingMessage } from "node:http";
import { AppError } from "../errors/app-error.ts";

/**
 * Refuses requests that another site's page made a browser send. A browser always sends the request's origin; a request
 * without it is not from a browser, so it must not carry a cookie.
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
    const { host: from, origin: whole, protocol } = new URL(origin);
    const own = new URL(ownUrl);
    if (whole === own.origin) return;
    // Any name that this server answers to. Behind a proxy that ends TLS, the configured address knows the scheme.
    const isOwnScheme = own.protocol !== "https:" || protocol === "https:";
    if (isOwnScheme && from === host?.toLowerCase()) return;
  }
  throw new AppError("foreign_origin");
}
