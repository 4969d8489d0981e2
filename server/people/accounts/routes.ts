/** The library's routes that we serve, by path under /api/auth; all others answer 404. */
export interface AccountRoute {
  readonly method: "GET" | "POST";
  /** True if it requires a signed-in person; false if anyone may call it. */
  readonly isSignedIn: boolean;
  /** It asks an identity provider, so no transaction waits for it. */
  readonly asksProvider?: boolean;
}

export const ACCOUNT_ROUTES = {
  "/sign-in/email": { method: "POST", isSignedIn: false },
  "/sign-in/social": { method: "POST", isSignedIn: false, asksProvider: true },
  "/callback/sign-on": { method: "GET", isSignedIn: false, asksProvider: true },
  "/link-social": { method: "POST", isSignedIn: true, asksProvider: true },
  "/request-password-reset": { method: "POST", isSignedIn: false },
  "/reset-password": { method: "POST", isSignedIn: false },
  "/verify-password": { method: "POST", isSignedIn: true },
  "/change-password": { method: "POST", isSignedIn: true },
  "/two-factor/enable": { method: "POST", isSignedIn: true },
  "/two-factor/disable": { method: "POST", isSignedIn: true },
  "/two-factor/generate-backup-codes": { method: "POST", isSignedIn: true },
  "/two-factor/verify-totp": { method: "POST", isSignedIn: false },
  "/two-factor/verify-backup-code": { method: "POST", isSignedIn: false },
} as const satisfies Record<string, AccountRoute>;

export function accountRouteOf(path: string): AccountRoute | null {
  // Just seen to be a key of it.
  return Object.hasOwn(ACCOUNT_ROUTES, path) ? ACCOUNT_ROUTES[path as keyof typeof ACCOUNT_ROUTES] : null;
}
