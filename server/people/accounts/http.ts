/** The account routes over HTTP, as the gateway calls them: with a received body and client info. */
import type { IncomingHttpHeaders } from "node:http";
import type { ClientInfo } from "../../access/actor.ts";
import { AppError } from "../../errors/app-error.ts";
import { ACCOUNTS_PATH, ADDRESS_HEADER } from "./account-names.ts";
import type { Accounts } from "./accounts.ts";
import { ACCOUNT_ROUTES, accountRouteOf } from "./routes.ts";

export { ACCOUNT_ROUTES };

export interface AccountRequest {
  readonly method: string;
  /** Under /api/auth, with its slash. */
  readonly path: string;
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  /** JSON that was parsed; absent with GET. */
  readonly body?: { readonly text: string; readonly value: unknown };
  readonly from: ClientInfo;
}

export interface AccountAnswer {
  readonly status: number;
  readonly location: string | null;
  readonly cookies: readonly string[];
  /** JSON; null with a redirect. */
  readonly body: string | null;
  readonly retryAfter: string | null;
}

/** The browser's headers that the library needs; the address comes from the gateway. */
const PASSED = ["cookie", "user-agent", "accept"] as const;

/** Errors: `not_found`, `method_not_allowed`, `too_many_attempts`; those of the database. */
export async function answerAccount(accounts: Accounts, url: string, request: AccountRequest): Promise<AccountAnswer> {
  const route = accountRouteOf(request.path);
  if (!route) throw new AppError("not_found");
  if (route.method !== request.method) throw new AppError("method_not_allowed");
  const { origin } = new URL(url);
  // The gateway refused other sites already; the library compares with the one address it knows.
  const headers = new Headers({ origin, [ADDRESS_HEADER]: request.from.ip ?? "" });
  for (const name of PASSED) if (request.headers[name] !== undefined) headers.set(name, request.headers[name]);
  const { body } = request;
  if (body) headers.set("content-type", "application/json");
  const search = request.search === "" ? "" : `?${request.search}`;
  const asked = new Request(`${origin}${ACCOUNTS_PATH}${request.path}${search}`, {
    method: request.method,
    headers,
    ...(body ? { body: body.text } : {}),
  });
  const { path, from } = request;
  const email =
    path === "/sign-in/email" ? (textIn(body?.value, "email")?.trim().toLowerCase().slice(0, 254) ?? null) : null;
  const resetToken = path === "/reset-password" ? textIn(body?.value, "token") : null;
  const cookies = { cookie: request.headers.cookie };
  return answerOf(await accounts.handle({ request: asked, path, route, from, cookies, email, resetToken }));
}

async function answerOf(response: Response): Promise<AccountAnswer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  return {
    status: response.status,
    location: response.headers.get("location"),
    cookies: response.headers.getSetCookie(),
    body: isJson && text !== "" ? withoutToken(text) : null,
    retryAfter: response.headers.get("x-retry-after"),
  };
}

/** The library repeats the session's token in its answer; a page's script has no business with it. */
function withoutToken(text: string): string {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) return text;
  const { token: _token, session: _session, ...rest } = value as Record<string, unknown>; // an object, just seen
  return JSON.stringify(rest);
}

function textIn(value: unknown, field: string): string | null {
  if (typeof value !== "object" || value === null) return null;
  const found: unknown = Reflect.get(value, field);
  return typeof found === "string" ? found : null;
}
