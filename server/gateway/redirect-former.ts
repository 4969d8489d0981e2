import type { IncomingMessage, ServerResponse } from "node:http";
import { presentAddress } from "../platform/former-addresses.ts";

/** Redirects a reader of a former address, permanently; false for any other request. */
export function redirectFormer({ method, url = "/" }: IncomingMessage, response: ServerResponse): boolean {
  const location = method === "GET" || method === "HEAD" ? presentAddress(url) : null;
  if (location === null) return false;
  response.writeHead(308, { location, "content-length": 0 }).end();
  return true;
}
