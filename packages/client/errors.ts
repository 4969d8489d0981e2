/** The two failures: the console refused a request or could not be asked, and a policy denied a call. */

/** A request that brought no answer. Whoever gates a call takes it as a denial. */
export class QuarterdeckError extends Error {
  override readonly name = "QuarterdeckError";
  /** As in the API's errors, `unreachable` where nothing answered, `not_quarterdeck` where something else did. */
  readonly code: string;
  /** 0 where nothing answered. */
  readonly status: number;

  constructor(code: string, message: string, { status = 0, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.code = code;
    this.status = status;
  }
}

/** A call that a policy or a person denied; the message is for the model. */
export class CallDenied extends Error {
  override readonly name = "CallDenied";
  readonly tool: string;
  /** The stored dispatch that denied it. */
  readonly dispatchId: string;

  constructor(tool: string, reason: string, dispatchId: string) {
    super(`Denied: ${reason}`);
    this.tool = tool;
    this.dispatchId = dispatchId;
  }
}
