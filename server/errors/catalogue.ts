/**
 * Every error that leaves the server: its code, HTTP status, whether it is expected, and the sentence a person reads.
 * The sentence holds no ids; what only the log may know goes into an `AppError`'s detail.
 */
interface ErrorSpec {
  readonly status: number;
  /** Expected errors are answers; the others are faults of ours and logged as such. */
  readonly expected: boolean;
  readonly says: string;
}

export const ERRORS = {
  not_json: { status: 400, expected: true, says: "The body is not JSON." },
  not_utf8: { status: 400, expected: true, says: "The body is not valid UTF-8." },
  invalid_input: { status: 400, expected: true, says: "The input does not have the expected shape." },
  too_deep: { status: 400, expected: true, says: "The body is nested deeper than 64 levels." },
  too_many_keys: { status: 400, expected: true, says: "An object in the body has more than 5,000 keys." },
  ambiguous_request: {
    status: 400,
    expected: true,
    says: "This request could be read in more than one way and was refused.",
  },
  unknown_host: {
    status: 421,
    expected: true,
    says: "This server does not answer to the name in the Host header. Its operator lists names in QUARTERDECK_URL or QUARTERDECK_ALLOWED_HOSTS.",
  },
  too_many_values: { status: 400, expected: true, says: "The body holds more than 100,000 values." },
  body_incomplete: { status: 400, expected: true, says: "The body ended before its announced length." },
  unauthenticated: {
    status: 401,
    expected: true,
    says: "A valid agent key is needed: send Authorization: Bearer qd_...",
  },
  key_revoked: { status: 401, expected: true, says: "This agent key was revoked or has expired. Create a new one." },
  not_signed_in: { status: 401, expected: true, says: "You are not signed in." },
  sign_in_link_spent: {
    status: 401,
    expected: true,
    says: "This sign-in link was used or has expired. Run `npm run quarterdeck -- sign-in` for a new one.",
  },
  forbidden: { status: 403, expected: true, says: "You may not do this." },
  agent_retired: {
    status: 403,
    expected: true,
    says: "This agent is retired: its keys open nothing. Somebody who manages agents can bring it back.",
  },
  key_not_for_this: {
    status: 403,
    expected: true,
    says: "This agent key is not for this: its scopes do not cover it.",
  },
  wrong_credentials: { status: 401, expected: true, says: "The e-mail address and the password do not match." },
  last_owner: {
    status: 409,
    expected: true,
    says: "A workspace keeps at least one owner. Make somebody else owner first.",
  },
  sign_in_again: { status: 403, expected: true, says: "For this, sign in once more: it has been a while." },
  foreign_origin: { status: 403, expected: true, says: "This request came from another site and was refused." },
  not_found: { status: 404, expected: true, says: "There is nothing at this address." },
  unknown_event: { status: 404, expected: true, says: "No hook event has this name." },
  agent_not_found: { status: 404, expected: true, says: "This agent does not exist." },
  group_not_found: { status: 404, expected: true, says: "This group does not exist." },
  person_not_found: { status: 404, expected: true, says: "This person is not in this workspace." },
  service_not_found: { status: 404, expected: true, says: "This service account or token does not exist." },
  workspace_not_found: { status: 404, expected: true, says: "This workspace does not exist, or you are not in it." },
  invitation_spent: {
    status: 404,
    expected: true,
    says: "This invitation was used, withdrawn, or has expired. Ask for a new one.",
  },
  view_not_found: { status: 404, expected: true, says: "This view does not exist any more." },
  too_many_views: {
    status: 409,
    expected: true,
    says: "There are 50 views of this page already. Remove one first.",
  },
  policy_not_found: { status: 404, expected: true, says: "This policy does not exist." },
  prompt_not_found: { status: 404, expected: true, says: "This judge prompt does not exist." },
  trial_not_found: { status: 404, expected: true, says: "This trial does not exist." },
  pack_not_found: { status: 404, expected: true, says: "This pack does not exist." },
  case_not_found: { status: 404, expected: true, says: "This test case does not exist." },
  revision_not_found: { status: 404, expected: true, says: "This revision does not exist." },
  connection_not_found: { status: 404, expected: true, says: "This model connection does not exist." },
  webhook_not_found: { status: 404, expected: true, says: "This webhook does not exist." },
  alert_not_found: { status: 404, expected: true, says: "This alert rule does not exist." },
  budget_not_found: { status: 404, expected: true, says: "This budget does not exist." },
  reservation_not_found: {
    status: 404,
    expected: true,
    says: "This reservation is gone: the call has reported its cost, or somebody released it.",
  },
  entry_not_found: { status: 404, expected: true, says: "This entry is not in the audit record." },
  hold_not_found: { status: 404, expected: true, says: "This legal hold does not exist, or was released." },
  session_not_found: { status: 404, expected: true, says: "This session is not stored." },
  dispatch_not_found: { status: 404, expected: true, says: "This dispatch is not stored." },
  method_not_allowed: { status: 405, expected: true, says: "This address does not take this method." },
  body_too_slow: { status: 408, expected: true, says: "The body did not arrive in time." },
  name_taken: { status: 409, expected: true, says: "This name is taken." },
  prompt_moved_on: {
    status: 409,
    expected: true,
    says: "Somebody changed this judge prompt meanwhile. Reload to see it.",
  },
  prompt_in_use: { status: 409, expected: true, says: "A policy uses this judge prompt." },
  budget_moved_on: { status: 409, expected: true, says: "Somebody changed this budget meanwhile. Reload to see it." },
  policy_moved_on: { status: 409, expected: true, says: "Somebody changed this policy meanwhile. Reload to see it." },
  workspace_frozen: {
    status: 409,
    expected: true,
    says: "The workspace is frozen: nothing that is in force changes until the freeze is lifted.",
  },
  agent_in_use: { status: 409, expected: true, says: "Something names this agent. Take it off there first." },
  group_has_pattern: {
    status: 409,
    expected: true,
    says: "The agents of this group are found by a name pattern. Change the pattern, or clear it to list agents by hand.",
  },
  group_in_use: { status: 409, expected: true, says: "Policies are applied to this group. Take them off it first." },
  idempotency_mismatch: {
    status: 409,
    expected: true,
    says: "This Idempotency-Key was used with another body. Send a new key.",
  },
  body_too_large: { status: 413, expected: true, says: "The body is larger than 4 MiB." },
  too_costly: {
    status: 413,
    expected: true,
    says: "Reading this takes too long or too much memory. Make it smaller, or send it in parts.",
  },
  too_many_events: { status: 413, expected: true, says: "A report takes at most 1,000 events. Send it in parts." },
  wrong_content_type: { status: 415, expected: true, says: "Send Content-Type: application/json." },
  call_not_found: { status: 404, expected: true, says: "This model call does not exist." },
  ledger_moved_on: {
    status: 409,
    expected: true,
    says: "Somebody corrected this call meanwhile. Look at what stands now, then correct that.",
  },
  price_version_not_found: { status: 404, expected: true, says: "This version of the price list does not exist." },
  prices_moved_on: {
    status: 409,
    expected: true,
    says: "Somebody saved a newer version of the price list. Reload to see it.",
  },
  month_not_closable: { status: 409, expected: true, says: "This month cannot be closed." },
  review_not_found: { status: 404, expected: true, says: "This review does not exist." },
  review_required: { status: 409, expected: true, says: "Somebody else has to approve this text first." },
  review_settled: { status: 409, expected: true, says: "This review is closed. Reload to see how it ended." },
  second_person_needed: { status: 403, expected: true, says: "Somebody else has to do this." },
  cases_failing: { status: 422, expected: true, says: "Test cases of this policy fail, so nothing was published." },
  prompt_invalid: { status: 422, expected: true, says: "The judge prompt has errors and was not published." },
  prompt_got_worse: {
    status: 422,
    expected: true,
    says: "The judge prompt is right on fewer labelled calls than its latest revision, so it was not published.",
  },
  policy_invalid: { status: 422, expected: true, says: "The policy has errors and was not published." },
  mail_failed: { status: 422, expected: true, says: "The mail server did not take the mail." },
  too_many_attempts: {
    status: 429,
    expected: true,
    says: "Too many attempts that failed. Wait a little, then try again.",
  },
  busy: { status: 429, expected: true, says: "Too much at once. Try again shortly." },
  internal: { status: 500, expected: false, says: "Something failed on our side. It was logged." },
  unrecorded: { status: 503, expected: false, says: "The decision could not be recorded, so none was made." },
  database_away: { status: 503, expected: false, says: "The database does not answer." },
  database_busy: {
    status: 503,
    expected: false,
    says: "The database has more to do than it can take. Try again shortly.",
  },
  query_too_slow: {
    status: 503,
    expected: false,
    says: "The database took too long over this. Ask for less, such as a shorter range of time, or try again later.",
  },
  overloaded: { status: 503, expected: true, says: "The server has too much to do. Try again shortly." },
  draining: { status: 503, expected: true, says: "The server is shutting down." },
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof ERRORS;
