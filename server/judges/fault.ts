import type { JudgeCause, JudgeUsage } from "@quarterdeck/hooks/contract/judge";

interface FaultMore {
  /** May pass by itself, so that the same question is worth putting again. */
  readonly isWorthRetrying?: boolean;
  /** The provider did not take the request as it was put (HTTP 400, 422). */
  readonly isAboutTheRequest?: boolean;
  /** Nothing was answered that anyone bills. */
  readonly isUnbilled?: boolean;
  /** Milliseconds the provider asked us to wait. */
  readonly retryAfterMs?: number;
  /** The part of the reply that had arrived by then. */
  readonly reply?: string;
  /** The tokens that the provider reported despite the fault. */
  readonly usage?: JudgeUsage;
}

/** The reason for a provider's missing answer. The message completes "the provider ..." and holds no credential. */
export class ProviderFault extends Error {
  readonly code: JudgeCause;
  readonly more: FaultMore;

  constructor(code: JudgeCause, message: string, more: FaultMore = {}) {
    super(message);
    this.name = "ProviderFault";
    this.code = code;
    this.more = more;
  }
}

/** The fault of an HTTP error status; `said` completes "the provider ...". */
export function statusFault(status: number, said: string, more: FaultMore = {}): ProviderFault {
  if (status === 401 || status === 403) return new ProviderFault("no_credential", said, { ...more, isUnbilled: true });
  if (status === 404) return new ProviderFault("no_model", said, { ...more, isUnbilled: true });
  if (status === 413) return new ProviderFault("too_large", said, more);
  return new ProviderFault("provider_error", said, {
    ...more,
    isWorthRetrying: status === 408 || status === 409 || status === 429 || status >= 500,
    isUnbilled: true,
    ...(status === 400 || status === 422 ? { isAboutTheRequest: true } : {}),
  });
}
