/**
 * Every error that leaves the server: its code, HTTP status, whether it is expected, and the sentence that a person
 * reads. The sentence holds no ids; details for the log belong in an `AppError`'s detail.
 */
interface ErrorSpec {
  readonly status: number;
  /** Expected errors are answers; the others are internal faults and logged as such. */
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
    says: "The request can be read in two ways, so it was refused.",
  },
  unknown_host: {
    status: 421,
    expected: true,
    says: "This server does not accept the name in the Host header. The operator sets accepted names in QUARTERDECK_URL or QUARTERDECK_ALLOWED_HOSTS.",
  },
  too_many_values: { status: 400, expected: true, says: "The body has more than 100,000 values." },
  body_incomplete: { status: 400, expected: true, says: "The body ended before its announced length." },
  unauthenticated: {
    status: 401,
    expected: true,
    says: "A valid agent key is needed: send Authorization: Bearer qd_...",
  },
  key_revoked: { status: 401, expected: true, says: "This agent key was revoked or has expired. Create a new key." },
  not_signed_in: { status: 401, expected: true, says: "You are not signed in." },
  sign_in_link_spent: {
    status: 401,
    expected: true,
    says: "This sign-in link was used or has expired. The sign-in page shows the command for a new link.",
  },
  forbidden: { status: 403, expected: true, says: "You do not have permission to do this." },
  agent_retired: {
    status: 403,
    expected: true,
    says: "This agent is retired, so its keys are refused. A person who manages agents can restore the agent.",
  },
  key_not_for_this: {
    status: 403,
    expected: true,
    says: "This agent key does not have the required scope.",
  },
  wrong_credentials: { status: 401, expected: true, says: "The e-mail address or the password is wrong." },
  last_owner: {
    status: 409,
    expected: true,
    says: "A workspace needs at least one owner. Make another person owner first.",
  },
  sign_in_again: { status: 403, expected: true, says: "Sign in again to do this: your last sign-in was too long ago." },
  step_up_required: {
    status: 403,
    expected: true,
    says: "Confirm your identity: your last confirmation is more than 15 minutes old.",
  },
  foreign_origin: { status: 403, expected: true, says: "This request came from another site and was refused." },
  not_found: { status: 404, expected: true, says: "No page or endpoint at this address." },
  unknown_event: { status: 404, expected: true, says: "No hook event has this name." },
  agent_not_found: { status: 404, expected: true, says: "This agent does not exist." },
  // The names of RFC 8628 and RFC 6749.
  authorization_pending: {
    status: 400,
    expected: true,
    says: "The login was not confirmed yet. Ask again after the interval.",
  },
  slow_down: {
    status: 400,
    expected: true,
    says: "You asked too soon. Wait five seconds longer between two questions.",
  },
  access_denied: { status: 400, expected: true, says: "The login was refused in the console." },
  expired_token: {
    status: 400,
    expected: true,
    says: "The login was not confirmed in time. Run quarterdeck login again.",
  },
  invalid_grant: {
    status: 400,
    expected: true,
    says: "This key has no login with this code, or the code was used. Run quarterdeck login again.",
  },
  login_code_unknown: {
    status: 404,
    expected: true,
    says: "No computer waits with this code. Check the code and the workspace, or run quarterdeck login again: a code works once, for 10 minutes.",
  },
  too_many_logins: {
    status: 429,
    expected: true,
    says: "Too many logins were asked for. Wait ten minutes, then run quarterdeck login again.",
  },
  enrolment_token_invalid: {
    status: 401,
    expected: true,
    says: "Unknown enrolment token. Send the whole token as Authorization: Bearer qdj_..., or create another token under Agents, Enrolment tokens.",
  },
  enrolment_token_over: {
    status: 403,
    expected: true,
    says: "This enrolment token was revoked, has expired or is used up. Ask for a new token.",
  },
  enrolment_token_not_found: {
    status: 404,
    expected: true,
    says: "This enrolment token does not exist or is already revoked.",
  },
  too_many_enrolment_tokens: {
    status: 409,
    expected: true,
    says: "There are already 100 open enrolment tokens. Revoke an unused token.",
  },
  group_not_found: { status: 404, expected: true, says: "This group does not exist." },
  person_not_found: { status: 404, expected: true, says: "This person is not in this workspace." },
  too_many_people: {
    status: 409,
    expected: true,
    says: "This workspace already knows 5,000 people and services. Erase people who are not needed.",
  },
  service_not_found: { status: 404, expected: true, says: "This service account or token does not exist." },
  workspace_not_found: { status: 404, expected: true, says: "This workspace does not exist, or you are not in it." },
  document_not_found: { status: 404, expected: true, says: "This document does not exist." },
  invitation_spent: {
    status: 404,
    expected: true,
    says: "This invitation was used, withdrawn, or has expired. Ask for a new invitation.",
  },
  halt_not_found: { status: 404, expected: true, says: "This halt does not exist." },
  already_halted: {
    status: 409,
    expected: true,
    says: "This session, agent, group or workspace is already halted. To change the reason, resume first, then halt again.",
  },
  already_resumed: {
    status: 409,
    expected: true,
    says: "This halt has already ended. Reload to see who ended the halt.",
  },
  too_many_halts: {
    status: 409,
    expected: true,
    says: "There are already 1,000 halts in force. End some of them, or halt the whole workspace.",
  },
  verification_running: {
    status: 409,
    expected: true,
    says: "A verification is running. Try again when the verification is done.",
  },
  halts_changed: {
    status: 503,
    expected: true,
    says: "The halts changed during this decision. Try again.",
  },
  approval_not_found: { status: 404, expected: true, says: "This approval request does not exist." },
  approval_closed: {
    status: 409,
    expected: true,
    says: "This approval request is already closed. Reload to see the result.",
  },
  approval_own_agent: {
    status: 403,
    expected: true,
    says: "You, or an account linked to you, created a key of this agent or logged in on it. Another person must answer.",
  },
  approval_answered_twice: {
    status: 409,
    expected: true,
    says: "You have already answered. Another person must approve.",
  },
  approval_not_asked: { status: 403, expected: true, says: "Approvers from another list answer this call first." },
  approval_not_confirmed: {
    status: 409,
    expected: true,
    says: "This call is risky and needs confirmation: select Allow again, or send confirmed: true.",
  },
  exception_not_found: { status: 404, expected: true, says: "This exception does not exist." },
  exception_over: { status: 409, expected: true, says: "This exception has already ended. Reload to see details." },
  exception_not_lapsed: {
    status: 409,
    expected: true,
    says: "This exception has not expired, or was already reviewed. Reload to see details.",
  },
  exception_refused: { status: 409, expected: true, says: "You can't create an exception for this call." },
  too_many_exceptions: {
    status: 409,
    expected: true,
    says: "There are already 500 exceptions in force. End an unused exception.",
  },
  view_not_found: { status: 404, expected: true, says: "This saved view no longer exists." },
  too_many_views: {
    status: 409,
    expected: true,
    says: "This page already has 50 saved views. Remove a view first.",
  },
  policy_not_found: { status: 404, expected: true, says: "This policy does not exist." },
  prompt_not_found: { status: 404, expected: true, says: "This judge prompt does not exist." },
  trial_not_found: { status: 404, expected: true, says: "This trial does not exist." },
  pack_not_found: { status: 404, expected: true, says: "This pack does not exist." },
  backtest_not_found: { status: 404, expected: true, says: "This backtest does not exist." },
  case_not_found: { status: 404, expected: true, says: "This test case does not exist." },
  revision_not_found: { status: 404, expected: true, says: "This revision does not exist." },
  connection_not_found: { status: 404, expected: true, says: "This model connection does not exist." },
  webhook_not_found: { status: 404, expected: true, says: "This webhook does not exist." },
  stream_not_found: { status: 404, expected: true, says: "This stream does not exist." },
  alert_not_found: { status: 404, expected: true, says: "This alert rule does not exist." },
  budget_not_found: { status: 404, expected: true, says: "This budget does not exist." },
  reservation_not_found: {
    status: 404,
    expected: true,
    says: "This reservation has ended: the call reported its cost, or a person released the reservation.",
  },
  entry_not_found: { status: 404, expected: true, says: "This entry is not in the audit log." },
  hold_not_found: { status: 404, expected: true, says: "This legal hold does not exist, or was released." },
  session_not_found: { status: 404, expected: true, says: "This session was not found." },
  dispatch_not_found: { status: 404, expected: true, says: "This dispatch was not found." },
  method_not_allowed: { status: 405, expected: true, says: "This address does not accept this HTTP method." },
  body_too_slow: { status: 408, expected: true, says: "The request body did not arrive in time." },
  name_taken: { status: 409, expected: true, says: "This name is taken. Choose another name." },
  prompt_moved_on: {
    status: 409,
    expected: true,
    says: "Another person changed this judge prompt. Reload to see the change.",
  },
  prompt_in_use: {
    status: 409,
    expected: true,
    says: "A policy uses this judge prompt. Remove the prompt from the policy first.",
  },
  budget_moved_on: {
    status: 409,
    expected: true,
    says: "Another person changed this budget. Reload to see the change.",
  },
  masking_moved_on: {
    status: 409,
    expected: true,
    says: "Another person changed the masking. Reload to see the change.",
  },
  policy_moved_on: {
    status: 409,
    expected: true,
    says: "Another person changed this policy. Reload to see the change.",
  },
  workspace_frozen: {
    status: 409,
    expected: true,
    says: "The workspace is frozen. Changes that affect policies in force are refused until the freeze ends.",
  },
  agent_in_use: { status: 409, expected: true, says: "This agent is still in use. Remove the references first." },
  group_has_pattern: {
    status: 409,
    expected: true,
    says: "This group uses a name pattern. Change the pattern, or clear it to list agents individually.",
  },
  group_in_use: {
    status: 409,
    expected: true,
    says: "Policies are assigned to this group. Remove the assignments first.",
  },
  idempotency_mismatch: {
    status: 409,
    expected: true,
    says: "This Idempotency-Key was already used with another body or in a report. Use a new key.",
  },
  body_too_large: { status: 413, expected: true, says: "The body is larger than 4 MiB." },
  too_costly: {
    status: 413,
    expected: true,
    says: "Reading the input takes too much time or memory. Reduce the input, or send the input in parts.",
  },
  too_many_events: {
    status: 413,
    expected: true,
    says: "A report can have at most 1,000 events. Send the report in parts.",
  },
  wrong_content_type: { status: 415, expected: true, says: "Send Content-Type: application/json." },
  call_not_found: { status: 404, expected: true, says: "This model call does not exist." },
  ledger_moved_on: {
    status: 409,
    expected: true,
    says: "Another person corrected the cost of this model call. Reload and check the cost before you correct it.",
  },
  price_version_not_found: { status: 404, expected: true, says: "This version of the price list does not exist." },
  prices_moved_on: {
    status: 409,
    expected: true,
    says: "Another person saved a newer version of the price list. Reload to see the newer version.",
  },
  month_not_closable: { status: 409, expected: true, says: "This month can't be closed." },
  review_not_found: { status: 404, expected: true, says: "This review does not exist." },
  review_required: { status: 409, expected: true, says: "Another person must approve this draft first." },
  review_settled: { status: 409, expected: true, says: "This review is closed. Reload to see the result." },
  second_person_needed: {
    status: 403,
    expected: true,
    says: "This change needs a second person. Ask another person to make or agree to the change.",
  },
  cases_failing: { status: 422, expected: true, says: "Test cases of this policy fail, so nothing was published." },
  requirements_unmet: {
    status: 422,
    expected: true,
    says: "The policy does not meet the workspace's publish requirements, so nothing changed.",
  },
  prompt_invalid: { status: 422, expected: true, says: "The judge prompt has errors and was not published." },
  prompt_got_worse: {
    status: 422,
    expected: true,
    says: "The draft judges fewer labelled calls correctly than the latest revision, so it was not published.",
  },
  prompt_score_low: {
    status: 422,
    expected: true,
    says: "The judge prompt does not have the required injection score, so it was not published.",
  },
  export_loses_gates: {
    status: 422,
    expected: true,
    says: "This release of docker-agent would lose gates of the policy, so nothing was exported.",
  },
  policy_blocked: {
    status: 422,
    expected: true,
    says: "Findings block this policy, so nothing took effect. Fix the findings, or ask an admin to override the findings with a reason.",
  },
  policy_invalid: { status: 422, expected: true, says: "The policy has errors and was not published." },
  mail_failed: { status: 422, expected: true, says: "The mail server rejected the message." },
  too_many_questions: {
    status: 429,
    expected: true,
    says: "This agent has reached its limit of questions: 5 open at once, 30 an hour. Wait for an answer, or for the next hour.",
  },
  too_many_drills: {
    status: 429,
    expected: true,
    says: "This agent has reached its limit of drills: 3 open at once, 12 in ten minutes. Wait, then drill again.",
  },
  too_many_inventories: {
    status: 429,
    expected: true,
    says: "This client has reached its limit of inventory reports: 60 in ten minutes. Wait, then report again.",
  },
  extension_moved_on: {
    status: 409,
    expected: true,
    says: "A version that you chose is no longer on its machine. Reload to see the present one.",
  },
  drill_over: {
    status: 409,
    expected: true,
    says: "This drill has ended: its nonce is used up, has expired, or belongs to another key. Start another drill.",
  },
  too_many_attempts: {
    status: 429,
    expected: true,
    says: "Too many failed attempts. Wait a minute, then try again.",
  },
  busy: { status: 429, expected: true, says: "Too many requests. Try again shortly." },
  internal: { status: 500, expected: false, says: "An error occurred on the server and was logged." },
  unrecorded: { status: 503, expected: false, says: "The decision could not be recorded, so no decision was made." },
  database_away: { status: 503, expected: false, says: "The database is not responding." },
  database_busy: {
    status: 503,
    expected: false,
    says: "The database is overloaded. Try again shortly.",
  },
  query_too_slow: {
    status: 503,
    expected: false,
    says: "The database took too long. Choose a smaller request, such as a shorter time range, or try again later.",
  },
  overloaded: { status: 503, expected: true, says: "The server is overloaded. Try again shortly." },
  draining: { status: 503, expected: true, says: "The server is shutting down." },
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof ERRORS;
