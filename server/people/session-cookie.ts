import { HOST_PREFIX, SESSION_COOKIE } from "./schema.ts";
import { cookieText, tokenIn } from "./session.ts";

interface Place {
  readonly url: string;
  readonly secrets: { readonly sessionSecret: string };
}

/** The cookie's name where people reach us: over https no other host and no plain page can set it. */
export function cookieName(url: string): string {
  return url.startsWith("https:") ? `${HOST_PREFIX}${SESSION_COOKIE}` : SESSION_COOKIE;
}

/** A Set-Cookie header that sets the browser's session, or removes it (an empty token, age 0). */
export function sessionCookie(place: Place | null, token: string, maxAgeSeconds: number): string {
  const url = place?.url ?? "";
  const value = token === "" || place === null ? "" : cookieText(token, place.secrets.sessionSecret);
  const secure = url.startsWith("https:") ? "; Secure" : "";
  return `${cookieName(url)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure}`;
}

/**
 * The token in the cookie `name`, or null unless the cookie is present once and exactly as we wrote it. The account
 * library decodes cookies: with another encoding, or a second cookie of the same name, it would use a token that we did
 * not check.
 */
export function signedTokenIn(header: string, name: string, secret: string): string | null {
  const values = header.split(";").flatMap((pair) => {
    const [key = "", ...value] = pair.split("=");
    return key.trim() === name ? [value.join("=").trim()] : [];
  });
  const [cookie] = values;
  if (cookie === undefined || values.length !== 1) return null;
  const token = tokenIn(cookie);
  return cookie === cookieText(token, secret) ? token : null;
}

/** The value of the cookie `name` in a Cookie header, as it is written there, or null. */
export function cookieIn(header: string, name: string): string | null {
  for (const pair of header.split(";")) {
    const [key = "", ...value] = pair.split("=");
    if (key.trim() === name) return value.join("=").trim() || null;
  }
  return null;
}
