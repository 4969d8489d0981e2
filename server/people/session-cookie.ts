import { HOST_PREFIX, SESSION_COOKIE } from "./schema.ts";
import { cookieText } from "./session.ts";

interface Place {
  readonly url: string;
  readonly secrets: { readonly sessionSecret: string };
}

/** The cookie's name where people reach us: over https no other host and no plain page can set it. */
export function cookieName(url: string): string {
  return url.startsWith("https:") ? `${HOST_PREFIX}${SESSION_COOKIE}` : SESSION_COOKIE;
}

/** A Set-Cookie header that hands the browser its session, or takes it away (an empty token, age 0). */
export function sessionCookie(place: Place | null, token: string, maxAgeSeconds: number): string {
  const url = place?.url ?? "";
  const value = token === "" || place === null ? "" : cookieText(token, place.secrets.sessionSecret);
  const secure = url.startsWith("https:") ? "; Secure" : "";
  return `${cookieName(url)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure}`;
}

/** The value of the cookie `name` in a Cookie header, as it is written there, or null. */
export function cookieIn(header: string, name: string): string | null {
  for (const pair of header.split(";")) {
    const [key = "", ...value] = pair.split("=");
    if (key.trim() === name) return value.join("=").trim() || null;
  }
  return null;
}
