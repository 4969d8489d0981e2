import type { JudgeCause } from "@quarterdeck/hooks/contract/judge";

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
}

/** The reason that a provider gave no answer. The message completes "the provider ..."; it holds no credential. */
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
