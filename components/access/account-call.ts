/**
 * Client of the account routes: passwords, second factors, sign-on. They are plain routes and not procedures, because
 * they set the session's cookie.
 */

export interface AccountFailure {
  readonly code: string;
  readonly says: string;
}

export type AccountAnswer =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly failure: AccountFailure };

/** Sentences for people, by the library's codes. */
const SAYS: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: "The e-mail address or the password is wrong.",
  INVALID_EMAIL: "Enter an e-mail address such as ada@example.org.",
  INVALID_PASSWORD: "Wrong password.",
  INVALID_CODE: "Wrong code. Codes change every 30 seconds.",
  INVALID_BACKUP_CODE: "This recovery code is wrong or was already used.",
  INVALID_TWO_FACTOR_COOKIE: "Sign-in timed out. Start the sign-in again.",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Too many wrong codes. Start the sign-in again.",
  INVALID_TOKEN: "This link was already used or has expired. Ask for a new link.",
  PASSWORD_TOO_SHORT: "The password needs at least 12 characters.",
  PASSWORD_TOO_LONG: "The password has more than 128 characters. Use at most 128.",
  SESSION_NOT_FRESH: "Sign in again to do this: your last sign-in was too long ago.",
  no_workspace: "You no longer belong to a workspace. Ask an admin of the workspace to invite you.",
};

/** Sends one; never throws. */
export async function callAccount(path: string, body: Readonly<Record<string, unknown>>): Promise<AccountAnswer> {
  try {
    const response = await fetch(`/api/auth${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const value: unknown = await response.json().catch(() => ({}));
    const fields = isRecord(value) ? value : {};
    if (response.ok) return { ok: true, value: fields };
    // Our own refusals are nested under `error`; those of the library are not.
    const said = isRecord(fields.error) ? fields.error : fields;
    const code = typeof said.code === "string" ? said.code : `HTTP ${response.status}`;
    const plain = typeof said.message === "string" ? said.message : "Something went wrong. Try again.";
    const says = response.status === 429 ? "Too many attempts. Wait a minute, then try again." : (SAYS[code] ?? plain);
    return { ok: false, failure: { code, says } };
  } catch {
    return {
      ok: false,
      failure: { code: "unreachable", says: "The console could not be reached. It may be restarting." },
    };
  }
}

/** The same for a form, which shows a thrown error. */
export async function sendAccount(path: string, body: Readonly<Record<string, unknown>>) {
  const answer = await callAccount(path, body);
  if (!answer.ok) throw new Error(answer.failure.says);
  return answer.value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
