/** The security headers of our answers to browsers. */
import { randomBytes } from "node:crypto";

/** On every answer. */
const SECURITY_HEADERS: readonly (readonly [string, string])[] = [
  ["x-frame-options", "DENY"],
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "same-origin"],
  ["cross-origin-opener-policy", "same-origin"],
  ["cross-origin-resource-policy", "same-origin"],
  ["permissions-policy", "camera=(), geolocation=(), microphone=()"],
];

/** A year. Other names below this host are not ours to speak for. */
const HSTS = ["strict-transport-security", "max-age=31536000"] as const;

/** The headers of every answer of a console at this address: over https, browsers ask by https from then on. */
export const securityHeadersOf = (url: string): readonly (readonly [string, string])[] =>
  url.startsWith("https:") ? [...SECURITY_HEADERS, HSTS] : SECURITY_HEADERS;

/** For answers other than pages: a browser must neither run nor show them. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

export interface PagePolicy {
  /** Stands in the policy, and on the inline scripts that Next and the theme write: those, and no others, run. */
  readonly nonce: string;
  readonly policy: string;
}

/** The policy of one page. A nonce is never reused: a script that knows one page's nonce cannot run in the next. */
export function pagePolicy(development: boolean): PagePolicy {
  const nonce = randomBytes(16).toString("base64url");
  const policy = [
    "default-src 'self'",
    // Only the development server evaluates code.
    `script-src 'self' 'nonce-${nonce}'${development ? " 'unsafe-eval'" : ""}`,
    // The editor, charts and toasts write styles as they go; a style cannot act.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self'${development ? " ws:" : ""}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { nonce, policy };
}
